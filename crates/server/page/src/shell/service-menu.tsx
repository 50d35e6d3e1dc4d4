// The SQL engine's status, and for those who may a way to enable and disable it.

import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import type { ServiceStatus } from "../api/types.ts";
import { usePlace } from "../context.ts";
import { formatAge, formatMillis } from "../format.ts";
import { useNow } from "../parts/load.ts";
import { Menu } from "../parts/menu.tsx";
import { say } from "../parts/notice.tsx";
import { Status } from "../parts/status.tsx";

const POLL_MILLIS = 10_000;

const MEANINGS: Record<ServiceStatus["status"], string> = {
  RUNNING: "Ready for statements.",
  STARTING: "Waking up; statements wait.",
  STOPPING: "Going to rest.",
  STOPPED: "At rest or disabled. At rest, the next statement wakes it; disabled, statements are refused.",
  ERROR: "It could not start; the server's log says why.",
};

export function ServiceMenu() {
  const { client, workspace } = usePlace();
  const [service, setService] = useState<ServiceStatus | null>(null);
  const now = useNow(POLL_MILLIS);
  useEffect(() => {
    let isGone = false;
    // A tab in the background asks nothing.
    if (!document.hidden) {
      client.service().then((status) => !isGone && setService(status), () => !isGone && setService(null));
    }
    return () => {
      isGone = true;
    };
  }, [client, now]);
  const change = async (state: boolean) => {
    try {
      setService(await client.setService(state));
      say(state ? "The SQL engine is enabled" : "The SQL engine is disabled");
    } catch (error) {
      say(messageOf(error));
    }
  };
  if (service === null) return null;
  return (
    <Menu
      align="end"
      class="button quiet service"
      label={<><span class="service-name">SQL engine</span><ServiceState status={service.status} /></>}
    >
      {(close) => (
        <div class="menu-card">
          <h2>SQL engine</h2>
          <p>{MEANINGS[service.status]}</p>
          <dl class="facts">
            <div><dt>Status</dt><dd><ServiceState status={service.status} /></dd></div>
            <div><dt>Last used</dt><dd>{formatAge(service.lastUsed, now)}</dd></div>
            <div>
              <dt>Rests after</dt>
              <dd>{service.maxIdleTime === 0 ? "never" : formatMillis(service.maxIdleTime * 1000)}</dd>
            </div>
          </dl>
          {workspace.role === "OWNER" && (
            <div class="menu-actions">
              <button type="button" class="button" onClick={() => void change(true).then(close)}>Enable</button>
              <button type="button" class="button danger" onClick={() => void change(false).then(close)}>
                Disable
              </button>
            </div>
          )}
        </div>
      )}
    </Menu>
  );
}

/** For an engine to run is the good state, not one on the way to it. */
function ServiceState({ status }: { status: ServiceStatus["status"] }) {
  return <Status status={status} {...(status === "RUNNING" ? { tone: "good" } : {})} />;
}

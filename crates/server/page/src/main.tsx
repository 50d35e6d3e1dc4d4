// The page's start.

import { render } from "preact";
import { App } from "./app.tsx";
import { applyTheme, storedTheme } from "./session.ts";
import "./style/page.css";

applyTheme(storedTheme());
const place = document.getElementById("page");
if (place) render(<App />, place);

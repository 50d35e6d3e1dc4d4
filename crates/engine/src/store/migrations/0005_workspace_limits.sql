-- What an admin has set that a workspace may take, as JSON; NULL: as the configuration says.
ALTER TABLE workspaces ADD COLUMN limits TEXT;

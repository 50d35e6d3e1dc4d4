// The start of the API reference, a page of its own: no token, no editor.

import { render } from "preact";
import { applyTheme, storedTheme } from "../session.ts";
import "../style/reference-page.css";
import { Reference } from "./reference.tsx";

applyTheme(storedTheme());
document.title = "API reference · Rowhouse";
const place = document.getElementById("page");
if (place) render(<Reference />, place);

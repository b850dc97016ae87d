/** Colours of a dark page; each may be set by a custom property of the page. */
const dark = `
  --text: var(--afterimage-feedback-text, #f2f2f4);
  --background: var(--afterimage-feedback-background, #1d1d21);
  --border: var(--afterimage-feedback-border, #8a8a94);
  --accent: var(--afterimage-feedback-accent, #a9b8ff);
  --on-accent: var(--afterimage-feedback-on-accent, #14141c);
  --error: var(--afterimage-feedback-error, #ffa3a3);
  color-scheme: dark;`

/**
 * The style of the button and the dialog. It is constructed by script, which a content security
 * policy without `unsafe-inline` allows.
 */
export const feedbackStyle = `
:host { all: initial !important; display: contents !important; }
.open, dialog {
  --text: var(--afterimage-feedback-text, #1b1b1f);
  --background: var(--afterimage-feedback-background, #fff);
  --border: var(--afterimage-feedback-border, #767680);
  --accent: var(--afterimage-feedback-accent, #3346c0);
  --on-accent: var(--afterimage-feedback-on-accent, #fff);
  --error: var(--afterimage-feedback-error, #b3142b);
  color-scheme: light;
  font: var(--afterimage-feedback-font, 16px/1.5 system-ui, sans-serif);
}
@media (prefers-color-scheme: dark) { :host(:not([theme=light])) :is(.open, dialog) {${dark}} }
:host([theme=dark]) :is(.open, dialog) {${dark}}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.open {
  position: fixed;
  inset: var(--afterimage-feedback-inset, auto 16px 16px auto);
  z-index: var(--afterimage-feedback-z-index, 100000);
}
dialog {
  width: min(28em, 100% - 32px);
  padding: 24px;
  color: var(--text);
  background: var(--background);
  border: 1px solid var(--border);
  border-radius: var(--afterimage-feedback-radius, 8px);
}
dialog::backdrop { background: rgb(0 0 0 / 50%); }
h2 { margin: 0 0 16px; font-size: 1.25em; line-height: 1.3; }
p { margin: 0 0 16px; }
label { display: block; margin: 12px 0 4px; font-weight: 600; }
input, textarea, button {
  font: inherit;
  color: inherit;
  background: var(--background);
  border: 1px solid var(--border);
  border-radius: calc(var(--afterimage-feedback-radius, 8px) / 2);
}
input, textarea { display: block; width: 100%; margin-bottom: 4px; padding: 8px; }
textarea { min-height: 6em; resize: vertical; }
[aria-invalid] { border-color: var(--error); }
button { min-height: 44px; padding: 8px 16px; cursor: pointer; }
.open, [type=submit] { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
[aria-disabled] { opacity: .6; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hint { margin-bottom: 4px; font-size: .875em; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 16px; }
[role=alert] { color: var(--error); }
[role=alert]:empty, [role=status]:empty { margin: 0; }
@media (prefers-reduced-motion: no-preference) {
  dialog[open] { animation: come .15s ease-out; }
  @keyframes come { from { opacity: 0; translate: 0 8px; } }
}`

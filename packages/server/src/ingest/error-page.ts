/**
 * What a visitor sees while `web` does not answer. It stands alone: no script, no style sheet, no
 * image, because nothing that could serve one is up.
 */
export function renderUnavailablePage(status: number): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${status}: An unexpected error has occurred</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { padding: 2rem; max-width: 32rem }
h1 { margin: 0 0 .5rem; font-size: 1.25rem }
p { margin: 0; opacity: .75 }
</style>
</head>
<body>
<main>
<h1>${status}: An unexpected error has occurred</h1>
<p>The console is not answering at the moment. Errors, replays and traces are still being received.
Reload the page in a few seconds.</p>
</main>
</body>
</html>
`
}

import type { CSSProperties } from 'react'

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'This page could not be found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
}

/** The fallback page's title for an HTTP status. */
export function errorTitle(status: number): string {
  return TITLES[status] ?? 'An unexpected error has occurred'
}

/** What the outermost boundary says when the browser failed. */
export function clientExceptionMessage(hostname: string): string {
  return `Application error: a client-side exception has occurred while loading ${hostname} (see the browser console for more information).`
}

/*
 * Colours and fonts are written out: this page must look right when no stylesheet, no font and no
 * script of the console could be loaded. They are the tokens of the same names.
 */
const theme = `
.ai-plain{color-scheme:light dark;--paper:light-dark(#faf8f3,#161311);--ink:light-dark(#1c1a17,#f1ede5);--ink-3:light-dark(#6a645a,#9c9488);--after:light-dark(#0b98ab,#43cadd);--now:light-dark(#e5480b,#ff6d2e)}
:root[data-theme=light] .ai-plain{color-scheme:light}:root[data-theme=dark] .ai-plain{color-scheme:dark}
body{margin:0}
.ai-plain a:focus-visible,.ai-plain button:focus-visible{outline:2px solid var(--now);outline-offset:2px}
@media(max-width:480px){.ai-plain svg{width:48px;height:48px}}
`

const page: CSSProperties = {
  minHeight: '100vh',
  boxSizing: 'border-box',
  display: 'grid',
  placeItems: 'center',
  padding: 24,
  background: 'var(--paper)',
  color: 'var(--ink)',
}

const line: CSSProperties = { display: 'flex', alignItems: 'center', gap: 32, maxWidth: '44em' }

const code: CSSProperties = {
  margin: 0,
  font: '500 15px/24px "Geist Mono", ui-monospace, monospace',
  color: 'var(--ink-3)',
}

const sentence: CSSProperties = {
  margin: 0,
  font: '600 30px/36px "Source Serif 4", Georgia, serif',
  letterSpacing: '-.016em',
  overflowWrap: 'anywhere',
}

/**
 * The generic error page, in both router modes: the ring without its disc, the code, the sentence. No
 * navigation and no product name. With `message` (a failure in the browser) it says that instead of
 * the title, and shows no code.
 */
export function GenericError(props: {
  readonly status: number
  readonly message?: string
  /** Drawn where a page of the product would be, under its head: the landmark and the height are that one's. */
  readonly isInside?: boolean
}) {
  const title = errorTitle(props.status)
  const isInside = props.isInside === true
  const Box = isInside ? 'div' : 'main'
  return (
    <>
      <style>{theme}</style>
      <Box className="ai-plain" style={isInside ? { ...page, minHeight: '70vh' } : page}>
        <div style={line}>
          <svg
            width="72"
            height="72"
            viewBox="0 0 72 72"
            aria-hidden="true"
            style={{ flex: 'none' }}
          >
            <circle cx="36" cy="36" r="33" fill="none" stroke="var(--after)" strokeWidth="2" />
          </svg>
          {props.message === undefined ? (
            <div>
              <h1 style={code}>{props.status}</h1>
              <h2 style={sentence}>{title}.</h2>
            </div>
          ) : (
            <h2 style={{ ...sentence, font: '500 21px/28px "Source Serif 4", Georgia, serif' }}>
              {props.message}
            </h2>
          )}
        </div>
      </Box>
    </>
  )
}

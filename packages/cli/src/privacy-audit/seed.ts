import { plantedPath, type Place } from './place.ts'

/** The element that holds all seeded markup. */
export const seedId = 'afterimage-audit'

/** Markup of all places, for the document of a page that is made for the audit. */
export function seedMarkup(places: readonly Place[]): string {
  const parts = places.map(({ markup }) => markup ?? '')
  return `<div id="${seedId}">\n${parts.join('\n')}\n</div>`
}

/** Runs before the page's own scripts, in every frame. Every sampling decision keeps everything. */
export function earlyScript(places: readonly Place[]): string {
  const steps = places.map(({ early }) => (early === undefined ? '' : `try { ${early} } catch {}`))
  return `Math.random = ((random) => () => random() / 1e6)(Math.random)
if (self === top && location.protocol.startsWith('http')) {\n${steps.join('\n')}\n}`
}

/**
 * Returns the script that runs on the loaded page. Each place runs on its own, so that none stops
 * another.
 */
export function lateScript(places: readonly Place[]): string {
  const steps = places.flatMap(({ script }) =>
    script === undefined ? [] : [`(async () => {\n${script}\n})().catch(() => null)`],
  )
  return `{ const later = (ms = 120) => new Promise((resolve) => setTimeout(resolve, ms))
window.auditDone = Promise.all([\n${steps.join(',\n')}\n]).then(() => true) }`
}

/**
 * Puts the seed into a page that came without it, into the inputs that are there, and beside the
 * texts that are there. Runs inside of the page.
 */
export function injectSeed({ id, markup, own }: InjectedSeed): void {
  if (document.getElementById(id) !== null) return
  const typeable = /^(text|search|tel|password|textarea|hidden)$/
  for (const input of document.querySelectorAll<HTMLInputElement>('input,textarea')) {
    if (!typeable.test(input.type)) continue
    input.value = own.input
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode() !== null && found.length < 500) found.push(texts.currentNode as Text)
  for (const text of found) {
    if (text.data.trim() === '' || /^(script|style)$/i.test(text.parentElement?.tagName ?? ''))
      continue
    text.data += ` ${own.text}`
  }
  const template = document.createElement('template')
  template.innerHTML = markup
  document.body.append(document.importNode(template.content, true))
}

export interface InjectedSeed {
  readonly id: string
  readonly markup: string
  /** Canaries of what the page has of its own. */
  readonly own: { readonly input: string; readonly text: string }
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Answers the requests of the places. `from` is the page that leads to the audited one. */
export function answerPlanted(address: string, target: string): Answer | null {
  const { pathname, search, searchParams } = new URL(address)
  if (!pathname.startsWith(plantedPath)) return null
  const text = searchParams.get('text') ?? ''
  switch (pathname.slice(plantedPath.length + 1).split('/')[0]) {
    case 'from':
      return html(`<a id="go" href="${target.replaceAll('"', '&quot;')}">Go</a>`)
    case 'frame':
      return html(
        `<p title="${text}">${text}</p><input value="${text}"><textarea>${text}</textarea>`,
      )
    case 'sheet':
      return { status: 200, type: 'text/css', body: `.audit-i::after{content:"${text}"}` }
    case 'script':
      return { status: 200, type: 'text/javascript', body: '' }
    case 'throw':
      return { status: 200, type: 'text/javascript', body: `throw new Error('audit thrown')` }
    case 'image':
      return {
        status: 200,
        type: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      }
    case 'echo':
      return { status: 200, type: 'application/json', body: JSON.stringify({ search, text }) }
    case 'status':
      return { status: 500, type: 'application/json', body: '{}' }
    case 'fail':
      return null
    default:
      return { status: 200, type: 'text/plain', body: '{}' }
  }
}

function html(body: string): Answer {
  return {
    status: 200,
    type: 'text/html',
    body: `<!doctype html><meta charset="utf-8"><meta name="referrer" content="unsafe-url">${body}`,
  }
}

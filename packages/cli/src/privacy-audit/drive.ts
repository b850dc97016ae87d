import type { Page } from 'playwright-core'
import type { Place } from './place.ts'
import { injectSeed, lateScript, seedId, seedMarkup } from './seed.ts'
import type { InjectedSeed } from './seed.ts'

/** An element that covers another, or a page that takes focus away, must not stop the rest. */
const actionMs = 1500

/** Seeds the page if it came without, and uses it as a person and as its own scripts would. */
export async function drive(
  page: Page,
  places: readonly Place[],
  own: InjectedSeed['own'],
): Promise<void> {
  const markup = seedMarkup(places)
  await page.evaluate(injectSeed, { id: seedId, markup, own })
  // Links and forms of the seed lead nowhere.
  await page.evaluate((id) => {
    const seed = document.getElementById(id)
    for (const type of ['click', 'submit'])
      seed?.addEventListener(type, (it) => {
        if ((it.target as Element).closest('a,[type=submit],[type=image]') !== null)
          it.preventDefault()
      })
  }, seedId)
  for (const place of places) await fillIn(page, place)
  const button = `const boom = document.createElement('button')
boom.id = 'audit-boom'; boom.textContent = 'Pay'; boom.onclick = () => { throw new RangeError('audit click') }
document.getElementById('${seedId}').append(boom)`
  // A file of the page's own host: the text of the script must not become a place in its document.
  await runInPage(page, `${lateScript(places)}\n${button}`)
  await page.evaluate(() =>
    Promise.race([
      (globalThis as unknown as { auditDone: Promise<unknown> }).auditDone,
      new Promise((resolve) => setTimeout(resolve, 8000)),
    ]),
  )
  for (const { id, isClicked } of places) if (isClicked) await click(page, id)
  await click(page, 'audit-boom')
}

async function fillIn(page: Page, { id, fill, type, choose, file }: Place): Promise<void> {
  const element = page.locator(`#${id}`)
  const options = { timeout: actionMs }
  const done =
    fill !== undefined
      ? element.fill(fill, options)
      : type !== undefined
        ? element.pressSequentially(type, options)
        : choose !== undefined
          ? element.selectOption(choose, options)
          : file !== undefined
            ? element.setInputFiles(
                { name: `${file}.txt`, mimeType: 'text/plain', buffer: Buffer.from(file) },
                options,
              )
            : null
  await done?.catch(() => null)
}

async function click(page: Page, id: string): Promise<void> {
  const element = page.locator(`#${id}`)
  await element
    .click({ timeout: actionMs })
    .catch(() => element.dispatchEvent('click', undefined, { timeout: actionMs }))
    .catch(() => null)
}

/**
 * Runs the source as a script that the page loads itself, since code evaluated by a debugger raises
 * no rejections. The script is removed again, so that its words are in no recording.
 */
async function runInPage(page: Page, source: string): Promise<void> {
  await page.evaluate(async (text) => {
    const script = document.createElement('script')
    script.src = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    const loaded = new Promise((resolve) => script.addEventListener('load', resolve))
    document.head.append(script)
    await loaded
    script.remove()
  }, source)
}

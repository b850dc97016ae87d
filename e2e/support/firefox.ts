import { launch, type Page } from 'puppeteer-core'
import type { Engine, Tab } from './engine.ts'

/** Firefox as people install it, by WebDriver BiDi, which it understands by itself. */
export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await launch({ browser: 'firefox', executablePath, headless: true })
  return {
    async openTab() {
      const context = await browser.createBrowserContext()
      const page = await context.newPage()
      return { ...tabOf(page), close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

function tabOf(page: Page): Omit<Tab, 'close'> {
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (run: never, given?: unknown) => page.evaluate(run, given),
    click: (selector) => page.click(selector),
    type: (selector, text) => page.type(selector, text),
  }
}

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { owner } from './product.ts'

/**
 * Features that are off. Chromium draws parts of its own window as pages: they took half of the
 * processor time of every page that was opened. It heeds the last list only, so this one also has
 * Playwright's.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIReloadButton',
  'WebUIToolbar',
  'WebUIToolbarWebView',
  'InitialWebUI',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AimEnabled',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
]

/**
 * Real Chromium, quiet: it looks nothing up and calls nobody. Pages that are left are kept for the way
 * back only where `hasPageCache` says so: Playwright turns that off. WebGL is drawn by the processor.
 */
export function launchBrowser({
  hasPageCache = false,
  hasWebGl = false,
  args = [],
}: {
  readonly hasPageCache?: boolean
  readonly hasWebGl?: boolean
  readonly args?: readonly string[]
} = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.AFTERIMAGE_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    ignoreDefaultArgs: hasPageCache ? ['--disable-back-forward-cache'] : [],
    args: [
      '--no-sandbox',
      ...(hasWebGl
        ? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']
        : ['--disable-gpu']),
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join()}`,
      ...args,
    ],
  })
}

/**
 * Closes a visitor's pages. Chromium at times never answers the closing of a page that is just
 * loading itself anew (Next does so, over and over, when a page's data fails: 5 of 150 closings of
 * such a page hung, none of 450 without network), so the network goes first.
 */
export async function closeVisit(context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await context.close()
}

/** Signs the owner in through the form, as a person would. */
export async function signIn(page: Page, productUrl: string): Promise<void> {
  await page.goto(`${productUrl}/sign-in`)
  await page.getByLabel(/^e-?mail$/i).fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}

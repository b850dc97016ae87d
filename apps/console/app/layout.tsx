import '../styles/tokens.css'
import '../styles/base.css'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { fontVariables } from '../styles/fonts.ts'
import { readPreferences } from '../data/preferences.ts'
import { selfMonitoringAttributes } from '../data/self-monitoring.ts'
import { Providers } from './providers.tsx'

export const metadata: Metadata = {
  title: { default: 'Afterimage', template: '%s · Afterimage' },
  robots: { index: false, follow: false },
  referrer: 'same-origin',
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  width: 'device-width',
  initialScale: 1,
}

/** The document. The theme comes from a cookie, so the first paint is already in it. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const { theme, timeZone } = await readPreferences()
  return (
    <html
      lang="en"
      className={fontVariables}
      data-theme={theme === 'system' ? undefined : theme}
      suppressHydrationWarning
      {...selfMonitoringAttributes().attributes}
    >
      <body>
        <Providers renderedAt={Date.now()} timeZone={timeZone}>
          {children}
        </Providers>
      </body>
    </html>
  )
}

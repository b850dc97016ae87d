import '@fontsource-variable/source-serif-4'
import '../styles/shop.css'
import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { Footer, Header } from '../ui/header.tsx'

export const metadata: Metadata = {
  title: { default: 'Halm: good things for the kitchen table', template: '%s · Halm' },
  description: 'Jugs, bowls and lamps by people who sign their work.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f7f3ea' },
    { media: '(prefers-color-scheme: dark)', color: '#171a16' },
  ],
}

export default function ShopLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Header />
        <main>{children}</main>
        <Footer />
      </body>
    </html>
  )
}

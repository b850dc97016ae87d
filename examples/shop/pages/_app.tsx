import '@fontsource-variable/source-serif-4'
import '../styles/shop.css'
import { AfterimageBoundary } from '@afterimage/next/client'
import type { AppProps } from 'next/app'
import Head from 'next/head'
import { Footer, Header } from '../ui/header.tsx'

/** Every page of the pages mode, inside the outermost boundary. */
export default function PagesApp({ Component, pageProps }: AppProps) {
  return (
    <AfterimageBoundary>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </Head>
      <Header />
      <main>
        <Component {...pageProps} />
      </main>
      <Footer />
    </AfterimageBoundary>
  )
}

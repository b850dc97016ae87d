import { Head, Html, Main, NextScript } from 'next/document'

/** The document of the pages mode. Nothing in it comes from another origin, and no robot keeps it. */
export default function PagesDocument() {
  return (
    <Html lang="en">
      <Head>
        <meta name="robots" content="noindex, nofollow" />
        <meta name="referrer" content="same-origin" />
        <meta name="color-scheme" content="light dark" />
      </Head>
      <body>
        <Main />
        <NextScript />
      </body>
    </Html>
  )
}

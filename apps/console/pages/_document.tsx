import Document, { Head, Html, Main, NextScript, type DocumentContext } from 'next/document'
import { firstLoadScript } from '../data/first-load.ts'
import { selfMonitoringAttributes } from '../data/self-monitoring.ts'

interface Props {
  /** The web server's, for the scripts inside this document; those of the build are known to it. */
  readonly nonce: string | undefined
}

/** The document of the pages mode. Nothing in it comes from another origin, and no robot keeps it. */
export default class PagesDocument extends Document<Props> {
  static override async getInitialProps(context: DocumentContext) {
    const initial = await Document.getInitialProps(context)
    const nonce = context.req?.headers['x-nonce']
    return { ...initial, nonce: typeof nonce === 'string' ? nonce : undefined }
  }

  override render() {
    const { nonce } = this.props
    const marked = nonce === undefined ? {} : { nonce }
    const { attributes, isMissing } = selfMonitoringAttributes()
    return (
      <Html lang="en" {...attributes}>
        <Head {...marked}>
          <script
            type="module"
            async
            {...marked}
            dangerouslySetInnerHTML={{ __html: firstLoadScript() }}
          />
          {/* Made at build time: who serves it says at run time what the console reports with,
              before the page's own scripts run. */}
          {isMissing ? <script src="/api/0/self-monitoring/" /> : null}
          <meta name="robots" content="noindex, nofollow" />
          <meta name="referrer" content="same-origin" />
          <meta name="color-scheme" content="light dark" />
        </Head>
        <body>
          <Main />
          <NextScript {...marked} />
        </body>
      </Html>
    )
  }
}

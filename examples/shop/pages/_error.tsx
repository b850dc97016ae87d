import { captureErrorPage } from '@afterimage/next/client'
import type { NextPageContext } from 'next'
import Error from 'next/error'

/** The error page of the pages mode: Next's own, which also reports what led to it. */
export default class ErrorPage extends Error {
  static override getInitialProps(context: NextPageContext) {
    captureErrorPage(context)
    return Error.getInitialProps(context)
  }
}

import { NotFoundShown } from '@afterimage/next/not-found-shown'
import { errorPageMarkup, type ErrorPage } from '@afterimage/protocol/error-page'
import type { ReactNode } from 'react'

/**
 * Draws the generic error page, in both router modes. With `message` (a failure in the browser) it
 * shows that instead of the title and the code. It reports a 404 to the client.
 */
export function GenericError(
  props: ErrorPage & {
    /** Drawn where a page of the product would be, under its head: the landmark and the height are that one's. */
    readonly isInside?: boolean
    /** A way on, below the sentence. */
    readonly children?: ReactNode
  },
) {
  const { isInside = false, children, ...page } = props
  const Box = isInside ? 'div' : 'main'
  return (
    <Box className={isInside ? 'ai-plain ai-plain-inside' : 'ai-plain'}>
      <div
        style={{ display: 'contents' }}
        // Our own markup, whose parts are escaped where it is written.
        dangerouslySetInnerHTML={{ __html: errorPageMarkup(page) }}
      />
      {children}
      {page.status === 404 && page.message === undefined ? <NotFoundShown /> : null}
    </Box>
  )
}

import { errorCodeText, type ErrorCodeText } from '@afterimage/protocol/error-codes'
import type { GetStaticPaths, GetStaticProps } from 'next'
import Head from 'next/head'
import { useRouter } from 'next/router'
import { ErrorCodeArticle } from '../../features/error-code/error-code-article.tsx'

interface Props {
  readonly code: string
  readonly text: ErrorCodeText
}

/**
 * One public page for each way the surroundings can fail, made when it is first asked for: until then the
 * document is the same for all codes and its data comes after it.
 */
export default function ErrorCodePage(props: Props) {
  const { basePath, isFallback, query } = useRouter()
  const code = isFallback ? String(query['code'] ?? '') : props.code
  return (
    <>
      <Head>
        <title>{code === '' ? 'Error code' : code}</title>
        <link rel="icon" href={`${basePath}/icon.svg`} />
      </Head>
      <ErrorCodeArticle code={code} text={isFallback ? null : props.text} />
    </>
  )
}

export const getStaticPaths: GetStaticPaths = () => Promise.resolve({ paths: [], fallback: true })

export const getStaticProps: GetStaticProps<Props> = ({ params }) => {
  const code = String(params?.['code'] ?? '')
  const text = errorCodeText(code)
  return Promise.resolve(text === null ? { notFound: true } : { props: { code, text } })
}

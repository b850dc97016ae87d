import { Lexer, type Token, type Tokens } from 'marked'
import type { ReactNode } from 'react'
import styles from './comment-text.module.css'

/**
 * Draws a comment's Markdown. Only the elements named here are drawn: HTML in a comment is shown as
 * text, and an image is a link to it, since a comment loads nothing from elsewhere.
 */
export function CommentText(props: { readonly text: string }) {
  const tokens = read(props.text)
  if (tokens === null) return <p>{props.text}</p>
  return <div className={styles['comment']}>{tokens.map(drawn)}</div>
}

/** Longer comments stay text: reading hostile Markdown takes the square of its length. */
const MARKDOWN_LENGTH_MAX = 4_000

function read(text: string): readonly Token[] | null {
  if (text.length > MARKDOWN_LENGTH_MAX) return null
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text)
  } catch {
    // Thousands of nested quotes would overflow the parser's stack.
    return null
  }
}

function drawn(token: Token, index: number): ReactNode {
  const known = token as Tokens.Generic
  const inner = (): ReactNode => (known.tokens ?? []).map(drawn)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p key={index}>{inner()}</p>
    case 'heading':
      // A comment's headings stay out of the page's outline.
      return (
        <p key={index}>
          <b>{inner()}</b>
        </p>
      )
    case 'strong':
      return <b key={index}>{inner()}</b>
    case 'em':
      return <em key={index}>{inner()}</em>
    case 'del':
      return <del key={index}>{inner()}</del>
    case 'codespan':
      return <code key={index}>{known['text']}</code>
    case 'code':
      return <pre key={index}>{known['text']}</pre>
    case 'blockquote':
      return <blockquote key={index}>{inner()}</blockquote>
    case 'br':
      return <br key={index} />
    case 'hr':
      return <hr key={index} />
    case 'list':
      return list(token as Tokens.List, index)
    case 'table':
      // The rail is too narrow for columns: a table stays as it was written.
      return <pre key={index}>{token.raw.trimEnd()}</pre>
    case 'link':
    case 'image':
      return link(token as Tokens.Link | Tokens.Image, index)
    case 'text':
    case 'escape':
      return known.tokens === undefined ? known['text'] : <span key={index}>{inner()}</span>
    default:
      return token.raw
  }
}

function list(token: Tokens.List, index: number): ReactNode {
  const items = token.items.map((item, place) => (
    <li key={place}>
      {item.task ? (item.checked === true ? '☑ ' : '☐ ') : null}
      {item.tokens.filter(({ type }) => type !== 'checkbox').map(drawn)}
    </li>
  ))
  if (!token.ordered) return <ul key={index}>{items}</ul>
  return (
    <ol key={index} start={token.start === '' ? 1 : token.start}>
      {items}
    </ol>
  )
}

/** Links elsewhere without a referrer. Other kinds of address are shown as text. */
function link(token: Tokens.Link | Tokens.Image, index: number): ReactNode {
  if (!isPublicAddress(token.href)) return token.raw
  return (
    <a key={index} href={token.href} rel="noopener noreferrer nofollow" target="_blank">
      {token.type === 'link' ? token.tokens.map(drawn) : token.text || token.href}
    </a>
  )
}

function isPublicAddress(href: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol)
  } catch {
    return false
  }
}

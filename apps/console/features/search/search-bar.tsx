'use client'

import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { Kbd } from '../../ui/kbd.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { isKeyBegun, keyToAskFor, suggestionsFor, type Suggestion } from './suggestions.ts'
import { readTokens, tokenProblems, writeToken, writeTokens, type SearchToken } from './tokens.ts'
import styles from './search-bar.module.css'

/** Waits this long after a key before asking for values. */
const ASK_AFTER_MS = 120

interface SearchBarProps {
  readonly query: string
  readonly onSubmit: (query: string) => void
  /** Parts of the query that are not valid; their tokens are marked. */
  readonly problems: readonly ApiSearchProblem[]
  /** Known values of a key, most frequent first. */
  readonly askValues: (key: string) => Promise<readonly string[]>
}

/**
 * Draws the tokenised search: filters are removable tokens, the rest is typed. Enter takes the
 * suggestion that is highlighted, else it searches; Tab completes; Backspace at the start takes the last
 * token back for editing; Escape closes the suggestions, then leaves.
 */
export function SearchBar(props: SearchBarProps) {
  const input = useRef<HTMLInputElement>(null)
  const edit = useSearchEditing(props, input)
  const { list, tokens, text } = edit
  const listId = useId()
  useKeys({ '/': () => input.current?.focus() })
  return (
    <div className={styles['search']} role="search">
      <Search size={14} aria-hidden className={styles['lens']} />
      <Tokens
        tokens={tokens}
        wrong={edit.isAsAsked ? tokenProblems(props.query, props.problems) : []}
        onRemove={(index) => edit.submit(tokens.toSpliced(index, 1))}
      />
      <input
        ref={input}
        className={styles['input']}
        role="combobox"
        aria-label="Search issues"
        aria-expanded={list.isOpen}
        aria-controls={listId}
        aria-activedescendant={list.chosen === null ? undefined : `${listId}-${list.index}`}
        aria-autocomplete="list"
        placeholder={tokens.length > 2 ? '' : 'release, browser, user.email, “text”…'}
        value={text}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => edit.type(event.currentTarget.value)}
        onFocus={list.open}
        onBlur={list.close}
        onKeyDown={edit.onKeyDown}
      />
      {text === '' ? <Kbd>/</Kbd> : null}
      <SuggestionList id={listId} list={list} onTake={edit.take} />
    </div>
  )
}

/** The tokens, the text after them, and what the keys do to both. */
function useSearchEditing(props: SearchBarProps, input: RefObject<HTMLInputElement | null>) {
  const { query, onSubmit } = props
  const [tokens, setTokens] = useState(() => readTokens(query))
  const [text, setText] = useState('')
  const [shownQuery, setShownQuery] = useState(query)
  if (shownQuery !== query) {
    // The URL changed (a view, back), and takes precedence.
    setShownQuery(query)
    setTokens(readTokens(query))
    setText('')
  }
  const list = useSuggestions(text, props.askValues)
  const submit = (next: readonly SearchToken[]) => {
    setTokens([...next])
    setText('')
    list.close()
    onSubmit(writeTokens(next))
  }
  const take = (suggestion: Suggestion) => {
    const words = text.split(/\s+/)
    words[words.length - 1] = suggestion.insert
    if (suggestion.isOpen) {
      setText(words.join(' '))
      input.current?.focus()
    } else submit([...tokens, ...readTokens(words.join(' '))])
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      list.move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Tab' && !event.shiftKey) {
      const completed = text === '' ? null : (list.chosen ?? list.first)
      if (completed === null) return
      event.preventDefault()
      take(completed)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (list.chosen === null) submit([...tokens, ...readTokens(text)])
      else take(list.chosen)
    } else if (event.key === 'Escape') {
      if (list.isOpen) list.close()
      else event.currentTarget.blur()
    } else if (event.key === 'Backspace' && text === '' && tokens.length > 0) {
      event.preventDefault()
      const last = tokens.at(-1)
      setTokens(tokens.slice(0, -1))
      if (last !== undefined) setText(writeToken(last))
    }
  }
  const type = (value: string) => {
    setText(value)
    list.open()
  }
  // Once a token is removed, the recorded places of problems no longer hold.
  const isAsAsked = writeTokens(tokens) === writeTokens(readTokens(query))
  return { tokens, isAsAsked, text, list, submit, take, type, onKeyDown }
}

function SuggestionList(props: {
  readonly id: string
  readonly list: ReturnType<typeof useSuggestions>
  readonly onTake: (suggestion: Suggestion) => void
}) {
  const { id, list } = props
  return (
    <div
      id={id}
      role="listbox"
      className={styles['list']}
      hidden={!list.isOpen}
      aria-label="Suggestions"
    >
      {list.suggestions.map((suggestion, index) => (
        <div
          key={suggestion.insert}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === list.index}
          className={styles['option']}
          onMouseDown={(event) => {
            event.preventDefault()
            props.onTake(suggestion)
          }}
        >
          <code>{suggestion.insert}</code>
          <span>{suggestion.note}</span>
        </div>
      ))}
    </div>
  )
}

function Tokens(props: {
  readonly tokens: readonly SearchToken[]
  /** Problem of each token; null for most. */
  readonly wrong: readonly (string | null)[]
  readonly onRemove: (index: number) => void
}) {
  return props.tokens.map((token, index) => {
    const words = writeToken(token)
    const colon = words.indexOf(':') + 1
    const wrong = props.wrong[index] ?? null
    return (
      <span
        key={`${index}-${words}`}
        className={styles['token']}
        data-negated={token.type === 'filter' && token.isNegated}
        data-wrong={wrong !== null}
        title={wrong === null ? words : `${words}: ${wrong}`}
      >
        {wrong === null ? null : <span className="visually-hidden">Not understood: </span>}
        {token.type === 'filter' ? <i>{words.slice(0, colon)}</i> : null}
        <span className={styles['value']}>
          {token.type === 'filter' ? words.slice(colon) : words}
        </span>
        <button type="button" aria-label={`Remove ${words}`} onClick={() => props.onRemove(index)}>
          <X size={10} strokeWidth={2} aria-hidden />
        </button>
      </span>
    )
  })
}

function useSuggestions(text: string, askValues: SearchBarProps['askValues']) {
  const [isOpen, setIsOpen] = useState(false)
  /** Suggestion chosen by the arrow keys; null before their first use. */
  const [moved, setMoved] = useState<number | null>(null)
  const [known, setKnown] = useState<{ key: string; values: readonly string[] } | null>(null)
  const word = text.split(/\s+/).at(-1) ?? ''
  const key = keyToAskFor(word)
  useEffect(() => {
    if (key === null || !isOpen) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const values = await askValues(key)
      if (isCurrent) setKnown({ key, values })
    }, ASK_AFTER_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key, isOpen, askValues])
  const suggestions = suggestionsFor(text, known !== null && known.key === key ? known.values : [])
  const shown = isOpen && suggestions.length > 0
  const index = moved ?? (isKeyBegun(text) && suggestions[0]?.isOpen === true ? 0 : -1)
  return {
    suggestions,
    isOpen: shown,
    index,
    chosen: shown ? (suggestions[index] ?? null) : null,
    first: shown ? (suggestions[0] ?? null) : null,
    open: () => {
      setIsOpen(true)
      setMoved(null)
    },
    close: () => setIsOpen(false),
    move: (step: 1 | -1) => {
      setIsOpen(true)
      setMoved(((index + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1)
    },
  }
}

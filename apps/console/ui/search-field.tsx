'use client'

import { Search, X } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Kbd } from './kbd.tsx'
import { useKeys } from './keys.tsx'
import styles from './search-field.module.css'

/** A plain search field. With `focusKey` that key puts the cursor into it. */
export function SearchField(props: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onEnter?: (value: string) => void
  readonly focusKey?: string
  readonly size?: 'small' | 'normal'
}) {
  const input = useRef<HTMLInputElement>(null)
  const focusKey = props.focusKey
  useKeys(
    useMemo(
      () => (focusKey === undefined ? {} : { [focusKey]: () => input.current?.focus() }),
      [focusKey],
    ),
  )
  return (
    <label className={styles['field']} data-size={props.size ?? 'normal'}>
      <Search size={14} aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label={props.label}
        placeholder={props.placeholder}
        value={props.value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onEnter?.(event.currentTarget.value)
          if (event.key === 'Escape') {
            if (props.value === '') event.currentTarget.blur()
            else props.onChange('')
          }
        }}
      />
      {props.value === '' ? (
        focusKey === undefined ? null : (
          <Kbd>{focusKey}</Kbd>
        )
      ) : (
        <button type="button" aria-label="Clear" onClick={() => props.onChange('')}>
          <X size={12} aria-hidden />
        </button>
      )}
    </label>
  )
}

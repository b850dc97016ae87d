'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react'
import styles from './field.module.css'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  readonly label: string
  /** A word at the right of the label. */
  readonly aside?: ReactNode
  /** Under the field, read with it. */
  readonly hint?: string
  readonly size?: 'normal' | 'large'
}

/** A labelled line of input. A password can be looked at. */
export function Field({ label, aside, hint, size, type, ...input }: FieldProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const isPassword = type === 'password'
  return (
    <div className={styles['field']} data-size={size ?? 'large'}>
      <div className={styles['label']}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      <div className={styles['box']}>
        <input
          {...input}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        {isPassword ? (
          <button
            type="button"
            aria-label={isShown ? 'Hide the password' : 'Show the password'}
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
          </button>
        ) : null}
      </div>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  )
}

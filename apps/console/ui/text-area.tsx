'use client'

import { useId, type TextareaHTMLAttributes } from 'react'
import styles from './field.module.css'

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string
  /** Under the field, read with it. */
  readonly hint: string
}

/** A labelled field of several lines. */
export function TextArea({ label, hint, ...input }: TextAreaProps) {
  const id = useId()
  return (
    <div className={styles['field']}>
      <div className={styles['label']}>
        <label htmlFor={id}>{label}</label>
      </div>
      <textarea {...input} id={id} className={styles['area']} aria-describedby={`${id}-hint`} />
      <p id={`${id}-hint`} className={styles['hint']}>
        {hint}
      </p>
    </div>
  )
}

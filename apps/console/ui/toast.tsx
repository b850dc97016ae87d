'use client'

import { Check, TriangleAlert } from 'lucide-react'
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react'
import { useKeys } from './keys.tsx'
import { Kbd } from './kbd.tsx'
import styles from './toast.module.css'

/** How long an undo is offered. */
const SHOWN_MS = 8000

export interface ToastContent {
  readonly text: string
  readonly tone?: 'done' | 'failed'
  /** Takes the change back; also on the key `u`. */
  readonly undo?: () => void
}

const ToastContext = createContext<(toast: ToastContent) => void>(() => {})

/** Says what was done, lower left, for eight seconds; a newer toast replaces an older one. */
export function ToastProvider(props: { readonly children: ReactNode }) {
  const [toast, setToast] = useState<(ToastContent & { id: number }) | null>(null)
  const nextId = useRef(1)
  const show = useCallback((content: ToastContent) => {
    setToast({ ...content, id: nextId.current++ })
  }, [])
  useEffect(() => {
    if (toast === null) return
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  const undo = useCallback(() => {
    toast?.undo?.()
    setToast(null)
  }, [toast])
  useKeys(useMemo(() => (toast?.undo === undefined ? {} : { u: undo }), [toast, undo]))
  return (
    <ToastContext.Provider value={show}>
      {props.children}
      <div className={styles['place']} role="status" aria-live="polite">
        {toast === null ? null : (
          <div key={toast.id} className={styles['toast']}>
            {toast.tone === 'failed' ? (
              <TriangleAlert size={14} aria-hidden />
            ) : (
              <Check size={14} aria-hidden />
            )}
            <span className={styles['text']}>{toast.text}</span>
            {toast.undo === undefined ? null : (
              <button type="button" className={styles['undo']} onClick={undo}>
                Undo <Kbd>u</Kbd>
              </button>
            )}
          </div>
        )}
      </div>
    </ToastContext.Provider>
  )
}

export function useToast(): (toast: ToastContent) => void {
  return useContext(ToastContext)
}

'use client'

import { Toast as Base } from '@base-ui/react/toast'
import { Check, TriangleAlert } from 'lucide-react'
import { createContext, useCallback, useContext, useMemo, type ReactNode } from 'react'
import { useKeys } from './keys.tsx'
import { Kbd } from './kbd.tsx'
import styles from './toast.module.css'

/** Duration of the offer to undo; the pointer and the focus pause it. */
const SHOWN_MS = 8000

/** There is one toast at a time: a newer one takes its place. */
const TOAST_ID = 'toast'

export interface ToastContent {
  readonly text: string
  readonly tone?: 'done' | 'failed'
  /** Takes the change back; also on the key `u`. */
  readonly undo?: () => void
}

const ToastContext = createContext<(toast: ToastContent) => void>(() => {})

/** Reports an action, lower left, for eight seconds. F6 moves the focus to it. */
export function ToastProvider(props: { readonly children: ReactNode }) {
  return (
    <Base.Provider timeout={SHOWN_MS} limit={1}>
      <Shown>{props.children}</Shown>
    </Base.Provider>
  )
}

function Shown(props: { readonly children: ReactNode }) {
  const { toasts, add, close } = Base.useToastManager<ToastContent>()
  const show = useCallback(
    (content: ToastContent) => {
      add({
        id: TOAST_ID,
        title: content.text,
        data: content,
        priority: content.tone === 'failed' ? 'high' : 'low',
      })
    },
    [add],
  )
  const undo = toasts.find((toast) => toast.transitionStatus !== 'ending')?.data?.undo
  const takeBack = useCallback(() => {
    close(TOAST_ID)
    undo?.()
  }, [close, undo])
  useKeys(useMemo(() => (undo === undefined ? {} : { u: takeBack }), [undo, takeBack]))
  return (
    <ToastContext.Provider value={show}>
      {props.children}
      <Base.Portal>
        <Base.Viewport className={styles['place']}>
          {toasts.map((toast) => (
            <Base.Root key={toast.id} toast={toast} className={styles['toast']}>
              <Base.Content className={styles['content']}>
                {toast.data?.tone === 'failed' ? (
                  <TriangleAlert size={14} aria-hidden />
                ) : (
                  <Check size={14} aria-hidden />
                )}
                <Base.Title render={<span />} className={styles['text']} />
                {toast.data?.undo === undefined ? null : (
                  <Base.Action className={styles['undo']} onClick={takeBack}>
                    Undo <Kbd>u</Kbd>
                  </Base.Action>
                )}
              </Base.Content>
            </Base.Root>
          ))}
        </Base.Viewport>
      </Base.Portal>
    </ToastContext.Provider>
  )
}

/** Reports an action or a failure. */
export function useToast(): (toast: ToastContent) => void {
  return useContext(ToastContext)
}

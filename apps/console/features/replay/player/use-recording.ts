import { useEffect, useState } from 'react'
import {
  loadRecording,
  nothingLoaded,
  type LoadedRecording,
  type LoadOptions,
} from './load-recording.ts'

/** Loads a recording while it can already be watched. The arguments must keep their identity. */
export function useRecording(options: LoadOptions): LoadedRecording {
  const { source, errors, startAt, playBeforeMs } = options
  const [state, setState] = useState(nothingLoaded)
  useEffect(() => {
    const abort = new AbortController()
    const before = playBeforeMs === undefined ? {} : { playBeforeMs }
    void loadRecording({ source, errors, startAt, ...before }, abort.signal, setState)
    return () => abort.abort()
  }, [source, errors, startAt, playBeforeMs])
  return state
}

'use client'

import { useEffect, useState } from 'react'

interface Note {
  readonly maker: string
  readonly note: string
}

const makers = [0, 1, 2, 3]

/** Bug: a slow page. The makers are asked one after another, and nothing shows until all have answered. */
export function Notes() {
  const [notes, setNotes] = useState<readonly Note[] | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    async function askAll(): Promise<void> {
      const answers: Note[] = []
      for (const maker of makers) {
        const response = await fetch(`/api/supplier/${maker}`, { signal: leaving.signal })
        answers.push((await response.json()) as Note)
      }
      setNotes(answers)
    }
    askAll().catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error
    })
    return () => leaving.abort()
  }, [])
  if (notes === null) {
    return (
      <div className="notes" aria-busy="true" aria-label="Asking the makers">
        {makers.map((maker) => (
          <div key={maker} className="note note-empty" />
        ))}
      </div>
    )
  }
  return (
    <div className="notes">
      {notes.map(({ maker, note }) => (
        <article key={maker} className="note">
          <h2>{maker}</h2>
          <p>{note}</p>
        </article>
      ))}
    </div>
  )
}

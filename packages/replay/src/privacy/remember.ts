import { answersMax } from '../limits.ts'

/**
 * Caches the answer for each name. A page may invent names without end, so beyond the limit they
 * are computed again.
 */
export function remember<T>(ask: (name: string) => T): (name: string) => T {
  const answers = new Map<string, T>()
  return (name) => {
    let answer = answers.get(name)
    if (answer === undefined) {
      answer = ask(name)
      if (answers.size < answersMax) answers.set(name, answer)
    }
    return answer
  }
}

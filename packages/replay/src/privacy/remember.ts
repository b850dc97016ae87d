import { answersMax } from '../limits.ts'

/** Asks for each name once. A page may invent names without end: more than are kept are asked again. */
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

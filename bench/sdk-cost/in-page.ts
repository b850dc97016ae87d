/** Functions that run in the page. Each is sent there as text, and uses nothing from outside. */

/** A table of about `nodes` nodes, with the attributes that applications have. */
export function fillPage(nodes: number): void {
  const rows: string[] = []
  // A row is 18 nodes: itself, eight cells and their texts, and a link with its text inside of one.
  for (let row = 0; row < nodes / 19; row += 1) {
    const cells = Array.from(
      { length: 8 },
      (_, cell) =>
        `<td class="cell cell-${cell}" data-row="${row}" title="Cell ${row}">${
          cell === 0
            ? `<a href="/orders/${row}?page=${cell}">Order ${row}</a>`
            : `value ${row} ${cell}`
        }</td>`,
    )
    rows.push(`<tr>${cells.join('')}</tr>`)
  }
  const main = document.querySelector('#main')
  if (main !== null) main.innerHTML = `<table><tbody>${rows.join('')}</tbody></table>`
}

/** Replaces the texts of so many cells in one task. */
export function mutateCells(count: number): void {
  const cells = document.querySelectorAll('td:not(.cell-0)')
  for (let index = 0; index < count; index += 1) {
    const cell = cells[index]
    if (cell !== undefined) cell.textContent = `changed ${count} ${index}`
  }
}

/** So many requests, twenty at a time. */
export async function fetchMany(count: number): Promise<void> {
  for (let done = 0; done < count; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (await fetch(`/answer?request=${done + index}`)).text(),
      ),
    )
  }
}

/**
 * So many nodes come and go, so often; slow enough for what they make to be sent meanwhile, since a
 * client may end a recording that piles up.
 */
export async function comeAndGo({
  nodes,
  times,
}: {
  readonly nodes: number
  readonly times: number
}): Promise<void> {
  const main = document.querySelector('#main')
  for (let turn = 0; turn < times; turn += 1) {
    const list = document.createElement('ul')
    for (let item = 0; item < nodes / 2; item += 1) {
      const element = document.createElement('li')
      element.textContent = `item ${turn} ${item}`
      list.append(element)
    }
    main?.append(list)
    await new Promise((resolve) => setTimeout(resolve, 250))
    list.remove()
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** Every 50 ms 100 elements come and go, 100 texts and 100 attributes change. */
export async function storm(seconds: number): Promise<void> {
  const main = document.querySelector('#main')
  const stays = Array.from({ length: 100 }, () => {
    const element = document.createElement('p')
    element.append('text')
    main?.append(element)
    return element
  })
  for (let turn = 0; turn < seconds * 20; turn += 1) {
    const list = document.createElement('ul')
    for (let item = 0; item < 100; item += 1) {
      const element = document.createElement('li')
      element.textContent = `item ${turn} ${item}`
      list.append(element)
      const stay = stays[item]
      if (stay?.firstChild) (stay.firstChild as Text).data = `text ${turn}`
      stay?.setAttribute('data-turn', String(turn))
    }
    main?.append(list)
    await new Promise((resolve) => setTimeout(resolve, 50))
    list.remove()
  }
  for (const element of stays) element.remove()
}

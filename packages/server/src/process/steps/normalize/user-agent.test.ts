import { expect, test } from 'vitest'
import { browserFromUserAgent, nameAndMajor } from './user-agent.ts'

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const nothing = { browser: null, os: null, device: null }

test('a browser and its system are named', () => {
  expect(browserFromUserAgent(windows)).toEqual({
    browser: { name: 'Chrome', version: '126.0.0.0' },
    os: { name: 'Windows', version: '10' },
    device: null,
  })
  expect(browserFromUserAgent(windows)).toBe(browserFromUserAgent(windows))
})

function agentOn(system: string) {
  return browserFromUserAgent(
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36`,
  )
}

test('a device is named by its model, else by its maker', () => {
  expect(agentOn('iPad; CPU OS 17_5 like Mac OS X').device).toEqual({
    family: 'iPad',
    model: 'iPad',
  })
  expect(agentOn('Macintosh; Intel Mac OS X 10_15_7').device).toEqual({
    family: 'Apple',
    model: null,
  })
})

test('a text that says nothing, or is too long to be a browser’s, names nothing', () => {
  for (const text of [null, undefined, '', '\0'])
    expect(browserFromUserAgent(text)).toEqual(nothing)
  expect(browserFromUserAgent(windows.padEnd(512)).browser).not.toBeNull()
  expect(browserFromUserAgent(windows.padEnd(513))).toEqual(nothing)
})

test('more User-Agents than are remembered are read all the same', () => {
  const agents = Array.from({ length: 2100 }, (_, index) => windows.replace('126', String(index)))
  for (const [index, agent] of agents.entries()) {
    expect(browserFromUserAgent(agent).browser).toEqual({
      name: 'Chrome',
      version: `${index}.0.0.0`,
    })
  }
})

test.each([
  ['Chrome', '126.0.1', 'Chrome 126'],
  ['Chrome', '126', 'Chrome 126'],
  ['Chrome', '', 'Chrome'],
  ['Chrome', null, 'Chrome'],
  ['', '126', null],
  [7, '126', null],
])('%j %j is short for %j', (name, version, expected) => {
  expect(nameAndMajor(name, version)).toBe(expected)
})

import { expect, test } from 'vitest'
import { isOwnSource, moduleOf, sourceAddress, sourcePath } from './source-path.ts'

test.each([
  ['webpack:///./src/cart/pay.ts', 'src/cart/pay.ts'],
  ['webpack:///src/cart/pay.ts?1a2b', 'src/cart/pay.ts'],
  ['webpack://shop/./src/pay.vue?vue&type=script', 'src/pay.vue'],
  ['webpack://_N_E/(app-pages-browser)/./app/page.tsx', 'app/page.tsx'],
  ['webpack-internal:///(rsc)/./app/page.tsx', 'app/page.tsx'],
  ['webpack:///../node_modules/react/index.js', 'node_modules/react/index.js'],
  ['webpack:///./~/react/index.js', 'node_modules/react/index.js'],
  ['webpack:///webpack/bootstrap', 'webpack/bootstrap'],
  ['turbopack:///[project]/app/page.tsx', 'app/page.tsx'],
  ['turbopack://[project]/app/page.tsx', 'app/page.tsx'],
  ['[project]/app/page.tsx', 'app/page.tsx'],
  ['turbopack:///[turbopack]/browser/runtime.ts', '[turbopack]/browser/runtime.ts'],
  ['../../src/main.ts', 'src/main.ts'],
  ['./src/../lib/a.ts', 'lib/a.ts'],
  ['..\\src\\main.ts', 'src/main.ts'],
  ['app:///src/main.ts', 'src/main.ts'],
  ['file:///home/shop/src/main.ts', '/home/shop/src/main.ts'],
  ['/home/shop/src/main.ts', '/home/shop/src/main.ts'],
  ['https://shop.example/src/main.ts?v=1', '/src/main.ts'],
  ['\0vite/preload-helper.js', 'vite/preload-helper.js'],
  ['', ''],
])('%j is the path %j', (raw, path) => {
  expect(sourcePath(raw)).toBe(path)
})

test.each([
  ['webpack:///./src/a.ts', true],
  ['../../src/a.ts', true],
  ['webpack:///./node_modules/react/index.js', false],
  ['../node_modules/.pnpm/vue@3/node_modules/vue/a.js', false],
  ['webpack:///webpack/runtime/jsonp chunk loading', false],
  ['webpack:///external "fs"', false],
  ['turbopack:///[turbopack]/browser/runtime.ts', false],
  ['\0vite/preload-helper.js', false],
])('%j is of the application: %j', (raw, isOwn) => {
  expect(isOwnSource(raw, sourcePath(raw))).toBe(isOwn)
})

test.each([
  ['src/cart/pay.ts', 'src/cart/pay'],
  ['/home/shop/main.min.js', 'home/shop/main'],
  ['node_modules/react-dom/index.js', 'react-dom/index'],
  ['src/App.vue', 'src/App'],
  ['src/data.v2.json', 'src/data.v2.json'],
])('%j is the module %j', (path, module) => {
  expect(moduleOf(path)).toBe(module)
})

test.each([
  ['webpack:///./src/a.ts', 'https://shop.example/a.js', 'webpack:///./src/a.ts'],
  ['../../src/[id].ts', 'https://shop.example/js/a/b.js', 'https://shop.example/src/[id].ts'],
  ['../src/a.ts', '/srv/shop/dist/main.js', '../src/a.ts'],
])('%j of %j has the address %j', (raw, script, address) => {
  expect(sourceAddress(raw, script)).toBe(address)
})

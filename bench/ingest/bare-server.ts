/** The limit to compare with: a server that reads the body and answers, and does nothing else. */
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"id":"0123456789abcdef0123456789abcdef"}')
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))

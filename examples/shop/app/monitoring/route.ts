export { GET, POST } from '@afterimage/next/tunnel-route'

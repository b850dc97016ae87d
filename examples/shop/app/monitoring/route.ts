export { POST } from '@afterimage/next/tunnel-route'

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPostgresDatabase } from '#support/database/create-postgres-database.ts'
import { freePort } from '#support/product/start-product.ts'
import { formatRequest, type LoadResponse, openConnection, type Scenario } from './load-generator.ts'
import { customerOf, customersWithCart, type Shop } from './shop.ts'

const sources = fileURLToPath(new URL('./vendure/', import.meta.url))
const folder = fileURLToPath(new URL('../../../.cache/vendure/', import.meta.url))

const cartFields = `id code state totalQuantity subTotalWithTax shippingWithTax totalWithTax currencyCode
  lines { id quantity unitPriceWithTax linePriceWithTax featuredAsset { preview } productVariant { id name sku } }`
const cartOrError = `{ __typename ... on Order { ${cartFields} } ... on ErrorResult { errorCode message } }`
const queries = {
  variants: 'query { products { items { variants { id } } } }',
  add: `mutation ($variant: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $variant, quantity: $quantity) ${cartOrError} }`,
  read: `query { activeOrder { ${cartFields} } }`,
  change: `mutation ($line: ID!, $quantity: Int!) { adjustOrderLine(orderLineId: $line, quantity: $quantity) ${cartOrError} }`,
}

const formatQuery = (query: string, variables: object = {}, token?: string): Buffer =>
  formatRequest('POST', '/shop-api', {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: { query, variables },
  })

const isOk =
  (part: string) =>
  ({ status, body }: LoadResponse): boolean =>
    status === 200 && body.includes(part) && !body.includes('"errors"') && !body.includes('errorCode')

type Order = { lines: { id: string }[] }
type Customer = { token: string; line: string; quantity: number }

const startProcess = (mode: 'server' | 'worker', env: NodeJS.ProcessEnv): ChildProcess => {
  const child = spawn(process.execPath, ['shop.mjs', mode], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

const waitForServer = async (server: ChildProcess, port: number): Promise<void> => {
  for (;;) {
    if (server.exitCode !== null) throw new Error('Vendure ended before it answered')
    const connection = await openConnection(port).catch(() => undefined)
    const response = await connection?.send(formatQuery(queries.variants)).catch(() => undefined)
    connection?.close()
    if (response && isOk('"variants"')(response)) return
    await wait(50)
  }
}

const install = (): void => {
  mkdirSync(folder, { recursive: true })
  cpSync(sources, folder, { recursive: true })
  if (!existsSync(`${folder}node_modules/@vendure/core`))
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}

/** Creates guests with carts of three lines. */
const createCustomers = async (port: number, variants: readonly string[]): Promise<Customer[]> => {
  const connection = await openConnection(port)
  const customers: Customer[] = []
  for (let number = 0; number < customersWithCart; number += 1) {
    let token: string | undefined
    let order: Order | undefined
    for (let line = 0; line < 3; line += 1) {
      const variant = variants[(number + line) % variants.length]
      const response = await connection.send(formatQuery(queries.add, { variant, quantity: 1 + line }, token))
      if (!isOk('"__typename":"Order"')(response)) throw new Error(response.body)
      token ??= /\r\nvendure-auth-token: *(\S+)/i.exec(response.head)?.[1]
      order = (JSON.parse(response.body) as { data: { addItemToOrder: Order } }).data.addItemToOrder
    }
    const line = order?.lines[0]?.id
    if (token === undefined || line === undefined || order?.lines.length !== 3) throw new Error('a guest has no cart')
    customers.push({ token, line, quantity: 1 })
  }
  connection.close()
  return customers
}

const stopProcess = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Installs Vendure, fills a new database of the server, and starts its two processes in production mode. */
export const startVendure = async (postgresUrl: string): Promise<Shop> => {
  install()
  const database = await createPostgresDatabase(postgresUrl, 'vendure')
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PG_URL: database.url,
    PORT: String(port),
    VENDURE_DISABLE_TELEMETRY: 'true',
  }
  execFileSync(process.execPath, ['shop.mjs', 'populate'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const server = startProcess('server', env)
  const worker = startProcess('worker', env)
  await waitForServer(server, port)
  const connection = await openConnection(port)
  const list = await connection.send(formatQuery(queries.variants))
  connection.close()
  type Products = { data: { products: { items: { variants: { id: string }[] }[] } } }
  const products = JSON.parse(list.body) as Products
  const variants = products.data.products.items.flatMap((product) => product.variants.map(({ id }) => id))
  const customers = await createCustomers(port, variants)
  const readCarts = (connections: number): Scenario => ({
    next: (...turn) => formatQuery(queries.read, {}, customerOf(customers, connections, turn).token),
    check: isOk('"lines":[{'),
  })
  return {
    name: 'Vendure 3.7.3',
    port,
    processIds: [server, worker].flatMap(({ pid }) => pid ?? []),
    scenarios: {
      create: () => ({
        next: (connection, turn) =>
          formatQuery(queries.add, { variant: variants[(connection + turn) % variants.length], quantity: 1 }),
        check: isOk('"__typename":"Order"'),
      }),
      read: readCarts,
      // Vendure's carts have no etag.
      refresh: readCarts,
      change: (connections) => ({
        next: (...turn) => {
          const customer = customerOf(customers, connections, turn)
          customer.quantity = (customer.quantity % 9) + 1
          return formatQuery(queries.change, { line: customer.line, quantity: customer.quantity }, customer.token)
        },
        check: isOk('"__typename":"Order"'),
      }),
    },
    stop: async () => {
      await Promise.all([server, worker].map(stopProcess))
      await database.drop()
    },
  }
}

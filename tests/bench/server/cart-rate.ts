import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { Mutation } from '#domain/cart/mutation.ts'
import { readCart } from '#server/carts/store/read-cart.ts'
import { applyMutations } from '#server/carts/sync/apply-mutations.ts'
import type { CartCommand } from '#server/carts/sync/command.ts'
import { parseMutation } from '#server/carts/sync/parse-mutation.ts'
import { type BenchCustomer, openBenchCustomer, postJson } from './bench-customer.ts'
import type { BenchServer } from './bench-server.ts'
import { type ComparisonResult, compareRates } from './compare-rates.ts'
import { closeConnections, keepAliveGet } from './keep-alive-client.ts'

const assertDone = (results: readonly MutationResult[]): void => {
  const failed = results.find(({ status }) => status !== 'done')
  if (failed || results.length !== 10) throw new Error(`a package was not added: ${JSON.stringify(failed ?? results)}`)
}

const parseCommands = (mutations: readonly Mutation[]): CartCommand[] =>
  mutations.map((mutation) => {
    const command = parseMutation(mutation)
    if (!('mutations' in command)) throw new Error(`a mutation could not be read: ${JSON.stringify(command)}`)
    return command
  })

const send = async ({ cartUrl, headers }: BenchCustomer, mutations: readonly Mutation[]): Promise<void> => {
  const response = await postJson(`${cartUrl}/sync`, headers, { orderMethod: 'gallery', mutations })
  assertDone(((await response.json()) as { data: { results: MutationResult[] } }).data.results)
}

/** `cart/sync` of ten packages into an empty cart, compared with its ten transactions without HTTP. */
export const syncTenPackages = (server: BenchServer): Promise<ComparisonResult> =>
  compareRates({
    rounds: 15,
    ours: async () => {
      const customer = await openBenchCustomer(server)
      const mutations = customer.addTenPackages()
      return () => send(customer, mutations)
    },
    baseline: async () => {
      const customer = await openBenchCustomer(server)
      const mutations = parseCommands(customer.addTenPackages())
      return async () => assertDone(await applyMutations(server.deps, customer.cart, mutations))
    },
  })

const readCount = 200
const concurrency = 8

const readRepeatedly = async (read: () => Promise<void>): Promise<void> => {
  let remaining = readCount
  const reader = async () => {
    while (remaining > 0) {
      remaining -= 1
      await read()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, reader))
}

/** Reads of a cart with ten packages, eight at a time, compared with the SQL statement behind it. */
export const readTenPackages = async (server: BenchServer, encoding: 'identity' | 'br'): Promise<ComparisonResult> => {
  const customer = await openBenchCustomer(server)
  await send(customer, customer.addTenPackages())
  const url = `${customer.cartUrl}?orderMethod=gallery`
  const headers = { ...customer.headers, 'accept-encoding': encoding }
  const readOverHttp = () => keepAliveGet(url, headers)
  const readDirectly = async () => {
    const cart = await readCart(server.deps.db, customer.cart, server.deps.clock())
    if (cart?.cartPackages.length !== 10) throw new Error('the cart does not have its ten packages')
  }
  try {
    return await compareRates({
      rounds: 9,
      ours: async () => () => readRepeatedly(readOverHttp),
      baseline: async () => () => readRepeatedly(readDirectly),
    })
  } finally {
    closeConnections()
  }
}

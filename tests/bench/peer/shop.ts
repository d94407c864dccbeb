import type { Scenario } from './load-generator.ts'

/**
 * What is measured: a new cart with its first package, and reading, refreshing and changing a cart of three. `refresh`
 * reads a cart that the device has already; `change` comes last, because it makes the device's copy outdated.
 */
export const scenarioNames = ['create', 'read', 'refresh', 'change'] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** A running shop with its customers. Each customer belongs to one connection. */
export type Shop = {
  readonly name: string
  readonly port: number
  /** The processes of the shop, without its database. */
  readonly processIds: readonly number[]
  /** The scenarios of this shop, for a number of connections. */
  readonly scenarios: Record<ScenarioName, (connections: number) => Scenario>
  readonly stop: () => Promise<void>
}

/** The number of customers with a cart of three packages, for reading and changing carts; the phones of `bench:phones`. */
export const customersWithCart = 500

/** The customer of a connection's turn: customer n belongs to connection n modulo `connections`. */
export const customerOf = <Customer>(
  customers: readonly Customer[],
  connections: number,
  [connection, turn]: readonly [number, number],
): Customer => {
  const ownCount = Math.floor((customers.length - 1 - connection) / connections) + 1
  const customer = customers[connection + connections * (turn % ownCount)]
  if (customer === undefined) throw new Error('there are fewer customers than connections')
  return customer
}

import type { RestartableProduct } from './restartable-product.ts'

/** One product for several phones. It is killed and restarted once, however many ask at the same time. */
export const createProductKiller = (
  served: RestartableProduct,
): { kill: () => Promise<void>; settled: () => Promise<void> } => {
  let dying: Promise<void> | undefined
  const kill = (): Promise<void> => {
    dying ??= served
      .kill()
      .then(() => served.start())
      .finally(() => {
        dying = undefined
      })
    return dying
  }
  return { kill, settled: async () => dying }
}

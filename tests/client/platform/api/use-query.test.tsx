import { afterEach, expect, test, vi } from 'vitest'
import { listPackages } from '#contract/customer/discovery-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { online } from '#platform/online.ts'
import { render } from '#support/rendering/render.tsx'
import { packageOf } from '#tests/domain/cart/cart-fixtures.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  online.set(true)
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
})

test('a price that changed while offline is shown when the network is back, without a reload', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  let price = 54
  vi.stubGlobal('fetch', async () => Response.json({ data: [packageOf({ retailCost: price })] }))
  const Screen = () => {
    const { data } = useQuery(listPackages, { params: { jobId: 1 }, query: { orderMethod: 'gallery' } })
    return <p>{data?.[0]?.retailCost}</p>
  }
  render(<Screen />)
  await vi.waitFor(() => expect(document.body.textContent).toContain('54'))
  online.set(false)
  price = 59
  online.set(true)
  await vi.waitFor(() => expect(document.body.textContent).toContain('59'))
})

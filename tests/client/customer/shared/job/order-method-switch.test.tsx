import { expect, test } from 'vitest'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { OrderMethodSwitch } from '#client/customer/shared/job/order-method-switch.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { click, countElements, getButton, render } from '#support/rendering/render.tsx'
import { springJobContext } from '#tests/client/job-context-examples.ts'

const openMethod = { available: true, opens: null, closes: null }
const { availability } = springJobContext()
const bothOpen = { ...availability, prepay: openMethod, gallery: openMethod }

test.each([
  ['gallery', 'Order without choosing photos', 'prepay'],
  ['prepay', 'Choose from your photos instead', 'gallery'],
] as const)('from %s there is a link to the other method if both are open', (orderMethod, label, otherMethod) => {
  const chosenMethods: OrderMethod[] = []
  const jobContext = springJobContext({
    availability: bothOpen,
    orderMethod,
    switchOrderMethod: (method) => chosenMethods.push(method),
  })
  render(
    <JobContext value={jobContext}>
      <OrderMethodSwitch />
    </JobContext>,
  )
  click(getButton(label))
  expect(chosenMethods).toEqual([otherMethod])
})

test('with one method open there is nothing to switch', () => {
  render(
    <JobContext value={springJobContext()}>
      <OrderMethodSwitch />
    </JobContext>,
  )
  expect(countElements('button')).toBe(0)
})

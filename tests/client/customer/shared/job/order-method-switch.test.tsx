import { expect, test } from 'vitest'
import { JobContext } from '#client/customer/shared/job/job-context.tsx'
import { OrderMethodSwitch } from '#client/customer/shared/job/order-method-switch.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { click, countElements, getButton, render } from '#support/rendering/render.tsx'
import { springJobContext } from '../../../job-context-examples.ts'

const open = { available: true, opens: null, closes: null }
const { availability } = springJobContext()
const bothOpen = { ...availability, prepay: open, gallery: open }

test.each([
  ['gallery', 'Order without choosing pictures', 'prepay'],
  ['prepay', 'Choose from the pictures instead', 'gallery'],
] as const)('from %s there is a link to the other method if both are open', (orderMethod, words, other) => {
  const chosen: OrderMethod[] = []
  const event = springJobContext({
    availability: bothOpen,
    orderMethod,
    chooseOrderMethod: (method) => chosen.push(method),
  })
  render(
    <JobContext value={event}>
      <OrderMethodSwitch />
    </JobContext>,
  )
  click(getButton(words))
  expect(chosen).toEqual([other])
})

test('with one method open there is nothing to switch', () => {
  render(
    <JobContext value={springJobContext()}>
      <OrderMethodSwitch />
    </JobContext>,
  )
  expect(countElements('button')).toBe(0)
})

import { expect, test } from 'vitest'
import { EventContext } from '#client/customer/shared/job/job-context.tsx'
import { MethodSwitch } from '#client/customer/shared/job/order-method-switch.tsx'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import { button, click, count, render } from '#support/rendering/render.tsx'
import { spring } from '../../../job-context-examples.ts'

const open = { available: true, opens: null, closes: null }
const { availability } = spring()
const bothOpen = { ...availability, prepay: open, gallery: open }

test.each([
  ['gallery', 'Order before the pictures instead', 'prepay'],
  ['prepay', 'Order from the pictures instead', 'gallery'],
] as const)('from %s there is a way over where both are open', (orderMethod, words, other) => {
  const chosen: OrderMethod[] = []
  const event = spring({ availability: bothOpen, orderMethod, chooseOrderMethod: (method) => chosen.push(method) })
  render(
    <EventContext value={event}>
      <MethodSwitch />
    </EventContext>,
  )
  click(button(words))
  expect(chosen).toEqual([other])
})

test('where one way is open there is nothing to switch', () => {
  render(
    <EventContext value={spring()}>
      <MethodSwitch />
    </EventContext>,
  )
  expect(count('button')).toBe(0)
})

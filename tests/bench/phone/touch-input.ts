import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Locator } from 'playwright'

type Point = { x: number; y: number }

/** Scrolls the target to the middle of the screen. */
const scrollIntoSight = (target: Locator): Promise<void> =>
  target.evaluate(async (one) => {
    ;(one.closest('label') ?? one).scrollIntoView({ block: 'center', inline: 'nearest' })
    const isInSight = (image: HTMLImageElement): boolean => {
      const { left, right, top, bottom } = image.getBoundingClientRect()
      return right > 0 && left < window.innerWidth && bottom > 0 && top < window.innerHeight
    }
    await Promise.allSettled([...document.images].filter(isInSight).map((image) => image.decode()))
  })

/** The point where a finger touches the target; null when it is out of view or covered. */
const touchPointOf = (target: Locator): Promise<Point | null> =>
  target.evaluate((one) => {
    const face = one.closest('label') ?? one
    const { x, y, width, height } = face.getBoundingClientRect()
    const point = { x: x + width / 2, y: y + height / 2 }
    const hit = document.elementFromPoint(point.x, point.y)
    return hit && (face.contains(hit) || hit.contains(one)) ? point : null
  })

/** Milliseconds between two taps, and milliseconds a finger rests on the glass. */
const [lookMs, restMs] = [300, 80]

/** Scrolls and measures until the target is in place, because the last tap may have moved it. */
export const findTouchPoint = async (target: Locator): Promise<Point> => {
  for (let look = 0; look < 5; look += 1) {
    await scrollIntoSight(target)
    await wait(lookMs)
    const point = await touchPointOf(target)
    if (point) return point
  }
  throw new Error('it stays out of sight')
}

/** Only the touch itself: queries to the page around a tap would count as the page's own work. */
export const touch = async (finger: CDPSession, point: Point): Promise<void> => {
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await wait(restMs)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

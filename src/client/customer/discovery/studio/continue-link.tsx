import { useLiveQuery } from 'dexie-react-hooks'
import { packageCountLabel } from '#client/customer/shared/cart/package-count-label.ts'
import { orderMethods } from '#domain/catalogue/catalogue.ts'
import { database } from '#platform/database.ts'
import { lastOpenedJob } from '#platform/last-opened-job.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import styles from './continue-link.module.css'

/** How many packages are in both carts of an event on this device. The rules that read a cart are more code than landing pages carry. */
const countPackages = async ({ jobId }: CustomerRoute): Promise<number> => {
  const { readCart } = await Promise.resolve(import('#local/cart.ts'))
  const carts = await Promise.all(orderMethods.map((method) => readCart(database, jobId, method)))
  return carts.reduce((sum, { packageCount }) => sum + packageCount, 0)
}

/** The event of this studio that the device was in last, and how many packages are in its carts; null where it was in none. */
const whereWeWere = async (studioSlug: string) => {
  const visit = await lastOpenedJob()
  return visit?.studioSlug === studioSlug ? { visit, packages: await countPackages(visit) } : null
}

/** For who was here before: the way back to what they chose, with no code to be typed again. */
export const ContinueLink = ({ studioSlug }: { studioSlug: string }) => {
  const before = useLiveQuery(() => whereWeWere(studioSlug), [studioSlug])
  if (!before) return null
  const { visit, packages } = before
  return (
    <section className={styles.goOn} aria-labelledby="go-on">
      <h2 id="go-on">{packages > 0 ? 'Your cart is still here' : 'You were here before'}</h2>
      {packages > 0 ? (
        <ButtonLink href={urls.cart(visit)} variant="secondary" wide>
          Go to your cart ({packageCountLabel(packages)})
        </ButtonLink>
      ) : (
        <ButtonLink href={urls.subjectSearch(visit)} variant="secondary" wide>
          Go on where you were
        </ButtonLink>
      )}
    </section>
  )
}

import { useLiveQuery } from 'dexie-react-hooks'
import { packageCountLabel } from '#client/customer/shared/cart/line-texts.ts'
import { orderMethods } from '#domain/catalogue/catalogue.ts'
import { database } from '#platform/database.ts'
import { lastOpenedJob } from '#platform/last-opened-job.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import styles from './continue-link.module.css'

/**
 * Number of packages in both carts of a job on this device. The cart code is too large for the landing page, so it is
 * loaded on demand.
 */
const countPackages = async ({ jobId }: CustomerRoute): Promise<number> => {
  const { readCart } = await Promise.resolve(import('#local/cart.ts'))
  const carts = await Promise.all(orderMethods.map((method) => readCart(database, jobId, method)))
  return carts.reduce((sum, { packageCount }) => sum + packageCount, 0)
}

/** The studio's job that was opened last on this device, and the number of packages in its carts; null if none. */
const readLastJob = async (studioSlug: string) => {
  const route = await lastOpenedJob()
  return route?.studioSlug === studioSlug ? { route, packages: await countPackages(route) } : null
}

/** For returning customers: the link to their last job, without typing the code again. */
export const ContinueLink = ({ studioSlug }: { studioSlug: string }) => {
  const lastJob = useLiveQuery(() => readLastJob(studioSlug), [studioSlug])
  if (!lastJob) return null
  const { route, packages } = lastJob
  return (
    <section className={styles.section} aria-labelledby="go-on">
      <h2 id="go-on">{packages > 0 ? 'Your cart is still here' : 'Welcome back'}</h2>
      {packages > 0 ? (
        <ButtonLink href={urls.cart(route)} variant="secondary" wide>
          Go to your cart ({packageCountLabel(packages)})
        </ButtonLink>
      ) : (
        <ButtonLink href={urls.subjectSearch(route)} variant="secondary" wide>
          Continue
        </ButtonLink>
      )}
    </section>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { getStudio } from '#contract/customer/discovery-calls.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { type StudioRoute, urls } from '#platform/urls.ts'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { logoShowsName, StudioLogo } from './studio-logo.tsx'
import styles from './studio-page.module.css'

type StudioPageProps = StudioRoute & { studioName: string; title: string; children: ReactNode }

/** A page of a studio that a link leads to, with its logo once that has loaded. */
export const StudioPage = ({ studioSlug, studioName, title, children }: StudioPageProps) => {
  const { data: studio } = useQuery(getStudio, { params: { slug: studioSlug } })
  const brand = (
    <Link href={urls.customerStudio({ studioSlug })} className={styles.brand}>
      {studio && <StudioLogo studio={studio} />}
      {!(studio && logoShowsName(studio)) && studioName}
    </Link>
  )
  return (
    <PlainPage title={title} brand={brand} accent={studio?.accent}>
      {children}
    </PlainPage>
  )
}

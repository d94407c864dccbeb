import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { listFeatures } from '#contract/studio/studio.ts'
import { toPage } from '#domain/shared/paging.ts'
import styles from './features-panel.module.css'

/** Features that the platform's administrators enabled for the studio. */
export const FeaturesPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listFeatures, { params: { studioId } })
  return (
    <Panel title="Features" lead="What your studio can use. The people who run this platform can give you more.">
      <QueryBoundary query={query}>
        {(features) => {
          const given = toPage(features).resultItems
          if (given.length === 0) return <p>None yet.</p>
          return (
            <ul className={styles.features}>
              {given.map(({ identifier, name }) => (
                <li key={identifier}>{name}</li>
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </Panel>
  )
}

import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { listFeatures } from '#contract/studio/studio.ts'
import { toPage } from '#domain/shared/paging.ts'
import styles from './features-panel.module.css'

/** The features that the platform's administrators enabled for the studio. */
export const FeaturesPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listFeatures, { params: { studioId } })
  return (
    <Panel title="Features" lead="What your studio can use. The platform’s administrators can give you more.">
      <QueryBoundary query={query}>
        {(data) => {
          const features = toPage(data).resultItems
          if (features.length === 0) return <p>None yet.</p>
          return (
            <ul className={styles.features}>
              {features.map(({ identifier, name }) => (
                <li key={identifier}>{name}</li>
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
    </Panel>
  )
}

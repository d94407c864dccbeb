import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudioForm } from '#client/staff/kit/form/use-studio-form.ts'
import { shareCountsText } from '#client/staff/kit/job/share-counts.tsx'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { getShareCounts, type Studio } from '#contract/studio/studio.ts'

const labels = { isSharingEnabled: 'Parents can show photos to someone by a link' }

const SharingForm = ({ studio }: { studio: Studio }) => {
  const edit = useStudioForm<Pick<Studio, 'isSharingEnabled'>>({
    formName: 'sharing',
    studio,
    toValues: ({ isSharingEnabled }) => ({ isSharingEnabled }),
    toPatch: ({ isSharingEnabled }) => ({ isSharingEnabled }),
    rules: {},
  })
  return (
    <EditForm edit={edit} labels={labels} saveText="Save sharing">
      <CheckField name="isSharingEnabled" label={labels.isSharingEnabled} />
    </EditForm>
  )
}

/** Whether customers can show images to others, and how often they do. */
export const SharingPanel = ({ studio }: { studio: Studio }) => {
  const query = useStaffQuery(getShareCounts, { params: { studioId: studio.id } })
  return (
    <Panel
      title="Sharing"
      lead="Links to watermarked previews of a child’s own photos. They end after 14 days. If you switch this off, all links end at once."
    >
      <SharingForm studio={studio} />
      <QueryBoundary query={query}>{(counts) => <p>{shareCountsText(counts)}</p>}</QueryBoundary>
    </Panel>
  )
}

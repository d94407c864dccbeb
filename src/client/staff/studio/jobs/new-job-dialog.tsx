import { useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useEditForm } from '#client/staff/kit/form/use-edit-form.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { postJob } from '#contract/studio/jobs.ts'
import { listOrganizations } from '#contract/studio/organizations.ts'
import { toPage } from '#domain/shared/paging.ts'
import { required } from '#domain/shared/validators.ts'
import { galleryNeedsVerification } from '#domain/studio/publish-checks.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import styles from './new-job-dialog.module.css'

type NewJobDialogProps = {
  open: boolean
  onClose: () => void
  /** The order method that is initially selected. */
  orderMethod: 'prepay' | 'gallery'
  organizationId?: number | undefined
}

type NewJobValues = {
  organizationId: string
  name: string
  eventDate: string
  code: string
  prepay: boolean
  gallery: boolean
}

type OrganizationChoice = { id: number; name: string }

const rules = { organizationId: required<NewJobValues>(), name: required<NewJobValues>() }

const NewJobForm = ({
  orderMethod,
  organizationId,
  organizations,
}: Omit<NewJobDialogProps, 'open' | 'onClose'> & { organizations: OrganizationChoice[] }) => {
  const { id: studioId, features, isMillersVerified } = useStudio()
  const [, navigate] = useLocation()
  const createJob = useStaffMutation(postJob)
  const createdJobId = useRef<number | null>(null)
  const onlyOrganizationId = organizations.length === 1 ? organizations[0]?.id : undefined
  const initialOrganizationId = organizationId ?? onlyOrganizationId
  const edit = useEditForm<NewJobValues>({
    name: `studio ${studioId} new job ${organizationId ?? ''}`,
    saved: {
      version: 0,
      values: {
        organizationId: initialOrganizationId === undefined ? '' : String(initialOrganizationId),
        name: '',
        eventDate: '',
        code: '',
        prepay: orderMethod === 'prepay' || !isMillersVerified,
        gallery: orderMethod === 'gallery' && isMillersVerified,
      },
    },
    rules,
    save: async ({ values, version }) => {
      const { organizationId: chosenOrganizationId, eventDate, code, ...rest } = values
      const body = {
        ...rest,
        organizationId: Number(chosenOrganizationId),
        eventDate: eventDate || null,
        ...(code.trim() && { code }),
      }
      const answer = await createJob.mutate({ params: { studioId }, body }, { onError: 'silent' })
      if (!answer.ok) return answer
      createdJobId.current = answer.data.id
      return { ...answer, data: { values, version } }
    },
    onSaved: () => {
      const linkOrganizationId = features.has('rspoJob') ? organizationId : undefined
      if (createdJobId.current !== null)
        navigate(staffUrls.job({ studioId, jobId: createdJobId.current, organizationId: linkOrganizationId }))
    },
  })
  return (
    <EditForm edit={edit} saveText="Create job">
      <SelectField
        name="organizationId"
        label="Organization"
        placeholder="Choose an organization"
        required
        options={organizations.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <TextField name="name" label="Name" hint="For parents, like “Spring portraits 2027”" required maxLength={200} />
      <TextField name="eventDate" label="Picture day" type="date" optional />
      <TextField
        name="code"
        label="Code"
        hint="4 to 12 letters and digits that parents type. Leave it empty to generate one"
        optional
        autoCapitalize="characters"
        maxLength={40}
      />
      <fieldset className={styles.orderMethods}>
        <legend>How parents order</legend>
        <CheckField name="prepay" label="Before the picture day" hint="They pay first and choose photos later" />
        {isMillersVerified ? (
          <CheckField name="gallery" label="From a gallery" hint="They choose from published images" />
        ) : (
          <p>
            {galleryNeedsVerification}. <Link href={staffUrls.studio(studioId, 'profile')}>Verify this studio</Link>
          </p>
        )}
      </fieldset>
    </EditForm>
  )
}

/** Creates a job and opens it. The draft remains if the dialog is closed. */
export const NewJobDialog = ({ open, onClose, ...options }: NewJobDialogProps) => {
  const { id: studioId } = useStudio()
  const query = useStaffQuery(listOrganizations, { params: { studioId }, query: { sort: 'name' }, enabled: open })
  return (
    <Dialog open={open} onClose={onClose} title="New job">
      <QueryBoundary query={query}>
        {(data) => {
          const organizations = toPage(data).resultItems.filter(({ archivedAt }) => archivedAt === null)
          if (organizations.length > 0) return <NewJobForm {...options} organizations={organizations} />
          return (
            <EmptyState
              title="Add an organization first"
              action={<ButtonLink href={staffUrls.studio(studioId, 'organizations')}>Go to organizations</ButtonLink>}
            >
              <p>A job is for a school or a club. Add it, and come back.</p>
            </EmptyState>
          )
        }}
      </QueryBoundary>
    </Dialog>
  )
}

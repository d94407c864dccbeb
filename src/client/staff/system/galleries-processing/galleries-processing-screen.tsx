import Pause from 'lucide-react/icons/pause'
import { useState } from 'react'
import { ListFilter, optionsOf, StudioFilter, useStudioOptions } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { type ListState, useList } from '#client/staff/kit/list/use-list.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listGalleryWork, listPausedStudios } from '#contract/system/galleries-processing.ts'
import { galleryWorkKinds, galleryWorkNames, galleryWorkStates } from '#domain/studio/gallery-work.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { PauseDialog, type StudioToPause } from './pause-dialog.tsx'
import { PausedStudios } from './paused-studios.tsx'
import { useWorkColumns } from './use-work-columns.tsx'
import { workKey, workName } from './work-progress.tsx'

/** How often the work is read while the screen is visible. */
const refreshMs = 3000

const filterNames = ['studioId', 'kind', 'state'] as const

const kindOptions = [{ value: '', label: 'All work' }, ...optionsOf(galleryWorkNames)]
const stateOptions = optionsOf({
  '': 'All states',
  waiting: 'Waiting',
  running: 'Running',
  failed: 'Failed',
  paused: 'Paused',
})

const Filters = ({ list }: { list: ListState<(typeof filterNames)[number]> }) => (
  <>
    <StudioFilter list={list} name="studioId" />
    <ListFilter list={list} name="kind" label="Work" options={kindOptions} />
    <ListFilter list={list} name="state" label="State" options={stateOptions} />
  </>
)

/** The background work of galleries: what waits, runs and failed, with its progress. Refreshed while it is visible. */
export const GalleriesProcessingScreen = () => {
  const list = useList(filterNames)
  const { studioId, kind, state, ...paging } = list.query
  const query = useStaffQuery(listGalleryWork, {
    query: {
      ...paging,
      studioId: studioId === undefined ? undefined : Number(studioId),
      kind: galleryWorkKinds.find((name) => name === kind),
      state: galleryWorkStates.find((name) => name === state),
    },
    refetchIntervalMs: refreshMs,
  })
  const [studioToPause, setStudioToPause] = useState<StudioToPause | null>(null)
  const columns = useWorkColumns(setStudioToPause)
  const { data: pausedStudios = [] } = useStaffQuery(listPausedStudios)
  const isPaused = pausedStudios.some((paused) => String(paused.studioId) === studioId)
  const chosenStudio = useStudioOptions().find(({ value }) => value === studioId)
  return (
    <StaffScreen
      title="Galleries processing"
      lead={<p>Uploads, image sizes, previews, packets and exports in the background, updated every few seconds.</p>}
      actions={
        chosenStudio &&
        !isPaused && (
          <Button
            variant="secondary"
            icon={Pause}
            onClick={() => setStudioToPause({ id: Number(chosenStudio.value), name: chosenStudio.label })}
          >
            Pause “{chosenStudio.label}”
          </Button>
        )
      }
    >
      <PausedStudios studios={pausedStudios} />
      <ListScreen
        label="Work"
        list={list}
        query={query}
        columns={columns}
        idOf={workKey}
        nameOf={workName}
        filters={<Filters list={list} />}
        empty={
          <EmptyState title="Nothing to do">
            <p>Uploads, packets and exports appear here while they are processed, and when they fail.</p>
          </EmptyState>
        }
      />
      {studioToPause && <PauseDialog studio={studioToPause} onClose={() => setStudioToPause(null)} />}
    </StaffScreen>
  )
}

import { type CustomiseAction, customiseReducer } from './customise-reducer.ts'
import type { CustomisedPackage } from './customised-package.ts'

/** The packages on the screen. */
export type CustomiserState = {
  /** As they were when they came onto the screen. Cards are grouped by it, so that they do not move while they are used. */
  initialParts: readonly CustomisedPackage[]
  parts: CustomisedPackage[]
  /** Add-ons that were taken away again: they come back with what was typed. */
  removed: readonly CustomisedPackage[]
}

export type CustomiserAction =
  | CustomiseAction
  /** Replaces the packages on the screen. Those that are there already keep their content. */
  | { do: 'set-packages'; packages: readonly CustomisedPackage[] }

export const initialState = (parts: CustomisedPackage[]): CustomiserState => ({
  initialParts: parts,
  parts,
  removed: [],
})

export const customiserReducer = (state: CustomiserState, action: CustomiserAction): CustomiserState => {
  if (action.do !== 'set-packages') {
    const parts = customiseReducer(state.parts, action)
    return { ...state, parts }
  }
  const { packages } = action
  const known = [...state.parts, ...state.removed]
  const same = (parts: readonly CustomisedPackage[], { package: { id } }: CustomisedPackage) =>
    parts.find((part) => part.package.id === id)
  const isEdited = state.parts.some((part, index) => part !== state.initialParts[index])
  const added = (part: CustomisedPackage): CustomisedPackage => {
    const removed = same(state.removed, part)
    return { ...(removed ?? part), isAddedLater: isEdited || removed !== undefined }
  }
  return {
    initialParts: packages.map((part) => same(state.initialParts, part) ?? added(part)),
    parts: packages.map((part) => same(state.parts, part) ?? added(part)),
    removed: known.filter((part) => !same(packages, part)),
  }
}

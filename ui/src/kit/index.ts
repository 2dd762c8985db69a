/**
 * `@coffer/ui`: what a page of Coffer is made of. The shell shares this module with plugins, so an element and the stream of
 * events exist once. Elements begin with `cf-`; see docs/ui-kit.md.
 * @packageDocumentation
 */
export { api, ApiError, messageOf, query, seg, type Problem } from './core/api.js';
export { Source, Use } from './core/data.js';
export { draft } from './core/draft.js';
export { CofferElement, kitStyles } from './core/element.js';
export { slotsFor, worded, type Slot } from './core/extensions.js';
export * as format from './core/format.js';
export { addMessages, currentLanguage, plural, recall, remember, t, translated, type Language } from './core/i18n.js';
export { live, type LiveEvent } from './core/live.js';
export { confirm, toast, type Question } from './core/notify.js';
export { Switches } from './core/optimistic.js';
export { addPaletteSource, type PaletteEntry, type PaletteSource } from './core/palette.js';
export { match, navigate, onNavigate, queryValue, setQuery, type RouteParams } from './core/router.js';
export * as stores from './core/stores.js';
export type * from './core/types.js';
export { CfAnswers, type Answer } from './answers.js';
export { CfAuditList, actorWords, subjectOf } from './audit-list.js';
export { CfBars, type BarMark } from './bars.js';
export { CfCallsList, statusWords } from './calls-list.js';
export { CfChart, type Annotation, type Series } from './chart.js';
export { CfCode, CfJson } from './code.js';
export { CfCredentialRef } from './credential-ref.js';
export { CfDialog } from './dialog.js';
export { CfDiff } from './diff.js';
export { CfExtension } from './extension.js';
export { CfForm } from './form.js';
export { CfIcon } from './icon.js';
export { ICONS, type IconName } from './icons.js';
export { CfLog } from './log.js';
export { CfPage } from './page.js';
export { CfResource, type ResourceTab } from './resource.js';
export { knownAgents, resourcePath, type ResourceFacts } from './resource-data.js';
export { CfResourceScope } from './resource-scope.js';
export { CfResourceSettings } from './resource-settings.js';
export { eventWords, stateOf, troubled } from './resource-words.js';
export { CfResult } from './result.js';
export { CfScopeEditor, CfScopeMatrix, type ScopeRow } from './scope-editor.js';
export { scopeWords, sees, turn } from './scope-words.js';
export { CfSpark } from './spark.js';
export { CfEmpty, CfError, CfSkeleton } from './states.js';
export { CfStatus, type State } from './status.js';
export { CfSwitch } from './switch.js';
export { CfTable } from './table.js';
export type { Column, Filter, Order } from './table-model.js';
export { CfSegmented, CfTabs, type Tab } from './tabs.js';
export { CfTime } from './time.js';

import { openTodos } from "../todo/index.ts";
import { isUnfinished } from "../workflow/index.ts";
import type { Plan } from "./run.ts";

export const hasPlan = ({ todos, workflow }: Plan): boolean => todos.length > 0 || workflow !== undefined;

export const isOpenPlan = ({ todos, workflow }: Plan): boolean => openTodos(todos).length > 0 || isUnfinished(workflow);

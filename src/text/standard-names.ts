/**
 * Names that are the field's own vocabulary, whoever uses them: fields of the contract and of OpenAPI, widely used
 * extensions, and types and codes of errors. They say nothing of the target's own, so `--no-bodies` keeps them.
 */
const NAMES: ReadonlySet<string> = new Set([
  ...['id', 'object', 'created', 'model', 'choices', 'index', 'message', 'role', 'content', 'finish_reason', 'delta'],
  ...['usage', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'data', 'owned_by', 'error', 'type', 'code', '*'],
  ...['openapi', 'info', 'version', 'title', 'servers', 'paths', '/models', '/chat/completions', 'get', 'post'],
  ...['operationId', 'parameters', 'requestBody', 'responses', 'application/json', 'text/event-stream', 'default'],
  ...['schema', 'properties', 'items', 'required', 'enum', 'minimum', 'maximum', 'additionalProperties', 'oneOf'],
  ...['anyOf', 'allOf', 'components', 'schemas', 'securitySchemes', 'security', 'messages', 'temperature', 'top_p'],
  ...['max_tokens', 'stream', 'param', 'detail', 'status', 'errors', 'request_id'],
  ...['deprecated', 'deprecation', 'deprecation_date', 'deprecated_at', 'sunset', 'permission', 'root', 'parent'],
  ...['max_model_len', 'context_length', 'context_window', 'system_fingerprint', 'service_tier', 'logprobs', 'refusal'],
  ...['tool_calls', 'function_call', 'annotations', 'audio', 'reasoning', 'reasoning_content', 'reasoning_tokens'],
  ...['prompt_tokens_details', 'completion_tokens_details', 'cached_tokens', 'audio_tokens', 'prompt_logprobs'],
  ...['accepted_prediction_tokens', 'rejected_prediction_tokens', 'stop_reason', 'token_ids', 'provider', 'timings'],
  ...['invalid_request_error', 'authentication_error', 'permission_error', 'permission_denied', 'not_found_error'],
  ...['rate_limit_error', 'rate_limit_exceeded', 'insufficient_quota', 'server_error', 'internal_server_error'],
  ...['api_error', 'internal_error', 'overloaded_error', 'service_unavailable', 'timeout_error', 'bad_request_error'],
  ...['invalid_api_key', 'missing_api_key', 'model_not_found', 'model_not_allowed', 'not_found', 'method_not_allowed'],
  ...['context_length_exceeded', 'invalid_json', 'invalid_type', 'invalid_value', 'invalid_model', 'invalid_role'],
  ...['missing_required_parameter', 'unknown_parameter', 'unsupported_parameter', 'unsupported_value', 'unauthorized'],
  ...['forbidden', 'bad_request', 'payment_required', 'quota_exceeded', 'insufficient_credits', 'too_many_requests'],
]);

export function isStandardName(name: string): boolean {
  return NAMES.has(name);
}

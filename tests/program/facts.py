# SPDX-License-Identifier: BSD-3-Clause
"""Whether the facts that `sidewinder check` prints agree with each other, in one rendering and between renderings."""
import re

PROOFS = ("identity", "certificate", "structure")


def proved(fact):
    return fact["answer"] != "undecided" and fact["evidence"] in PROOFS


def all_facts(value):
    """Every fact in a JSON object."""
    if isinstance(value, dict):
        if set(value) == {"answer", "evidence", "parameters", "except"}:
            yield value
        for inner in value.values():
            yield from all_facts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from all_facts(inner)


def single_facts(page):
    """Rules that each fact obeys by itself."""
    for fact in all_facts(page):
        if (fact["answer"] == "undecided") != (fact["evidence"] == "none"):
            yield f"what is decided has evidence: {fact}"
        if (fact["answer"] == "undecided") != (fact["parameters"] is None):
            yield f"what is decided has a range: {fact}"
        if fact["evidence"] in ("sampled", "witness") and fact["parameters"] != "default":
            yield f"what was seen at points is for the default parameters: {fact}"
        if fact["except"] is not None and (fact["answer"] != "yes" or fact["parameters"] != "default"):
            yield f"an exception is one from a yes for the default parameters: {fact}"


def of_coisotropy(page, verdicts):
    c = verdicts["coisotropy"]
    fact = c["coisotropic"]
    answers = [pair["zero"]["answer"] for pair in c["pairs"]]
    if (fact["answer"] == "no") != ("no" in answers):
        yield "constraints are second class where a bracket is not 0"
    if (fact["answer"] == "yes") != all(a == "yes" for a in answers):
        yield "constraints are coisotropic where all brackets are 0"
    if proved(fact) and fact["answer"] == "yes" and not all(proved(pair["zero"]) for pair in c["pairs"]):
        yield "coisotropy is proved where all brackets are"
    if (c["witness"] is not None) != (fact["answer"] == "no"):
        yield "what fails has a witness"
    if (c["failing_pair"] is not None) != (fact["answer"] == "no" or fact["except"] is not None):
        yield "what fails has a pair"
    for pair in c["pairs"]:
        if (pair["at"] is not None) != (pair["zero"]["answer"] == "no"):
            yield "a bracket that is not 0 has a point"
        if pair["zero"]["answer"] == "yes" and pair["zero_at_points"] not in (verdicts["sample_of_M"]["points"], 0):
            yield "a bracket that is proved to be 0 is 0 at all points"


def of_nondegeneracy(page, verdicts):
    n = verdicts["nondegeneracy"]
    regular, singular = n["nondegenerate"], n["singular_everywhere"]
    points = verdicts["sample_of_MH"]["points"]
    if regular["answer"] == "yes" and singular["answer"] == "yes":
        yield "N is invertible and singular"
    if singular["answer"] == "yes" and (n["invertible_points"] or n["witness"]):
        yield "N is singular on all of M^H, and invertible at a point"
    if singular["answer"] == "yes" and points and not n["singular_points"]:
        yield "N is singular everywhere, and at no point"
    if regular["answer"] == "yes" and (n["singular_points"] or n["witness"]):
        yield "N is invertible on all of M^H, and singular at a point"
    if n["modulo_hidden"] and verdicts["sample_of_MH"]["shown_to_exist"] == 0:
        yield "a certificate modulo g and rho counts only where a point of M^H is shown to exist"
    if n["invertible_points"] and singular["answer"] == "undecided":
        yield "N is invertible at a point, so not singular everywhere"
    if n["witness"] is not None and regular["answer"] != "no":
        yield "N is singular at a witness, so not invertible everywhere"
    if n["witness"] is None and n["witness_exists"]:
        yield "a witness that exists is there"
    if n["invertible_points"] + n["singular_points"] + n["undecided_points"] != points and \
            verdicts["independence"]["flat"] is None:
        yield "every point of M^H is counted once"
    zeros = n["zeros_of_det_N"]
    wanted = ["everywhere"] if singular["answer"] == "yes" else \
        ["never" if regular["parameters"] == "all" else "never_with_these_parameters"] if regular["answer"] == "yes" else \
        ["somewhere"] if regular["answer"] == "no" else ["unknown", "where_gradients_are_dependent"]
    if zeros not in wanted:
        yield f"the zeros of det N are {wanted}, not {zeros}"
    if zeros == "where_gradients_are_dependent" and n["positive_masses"] is None:
        yield "positive masses prove where det N is 0"
    redundant = verdicts["independence"]["redundant"]
    flat = verdicts["independence"]["flat"]
    coisotropic = verdicts["coisotropy"]["coisotropic"]
    for c in verdicts["conserved"]:
        if proved(c["conserved"]) and coisotropic["answer"] == "yes" and proved(coisotropic) and not redundant and \
                flat is None and singular["answer"] != "yes":
            yield "a constraint that H conserves makes N singular"


def of_the_rest(page, verdicts):
    d = verdicts["independence"]
    if d["regular"]["answer"] == "yes" and (d["rank"] != d["wanted"] or d["flat"] is not None or d["redundant"]):
        yield "independent gradients have full rank"
    if d["regular"]["answer"] == "no" and d["rank"] == d["wanted"] and verdicts["sample_of_M"]["points"] == 1:
        yield "a rank that is full at all points is full"
    if d["contradiction"] is not None and verdicts["sample_of_M"]["points"]:
        yield "a set that is proved empty has no points"
    for sample in (verdicts["sample_of_M"], verdicts["sample_of_MH"]):
        if not 0 <= sample["shown_to_exist"] <= sample["points"] <= sample["tried"]:
            yield f"points are counted: {sample}"
    for invariant in verdicts["invariants"]:
        if (invariant["at"] is not None) != (invariant["conserved"]["answer"] == "no"):
            yield "what is no invariant has a point"


def refusal_for(verdicts):
    """The reason that the facts give, the first that applies."""
    d = verdicts["independence"]
    if d["flat"] is not None:
        return "vanishing_derivative"
    if verdicts["coisotropy"]["coisotropic"]["answer"] == "no":
        return "second_class"
    if verdicts["nondegeneracy"]["singular_everywhere"]["answer"] == "yes":
        return "degenerate"
    return None


def disagreements(page):
    """What is wrong with a JSON object, as sentences."""
    yield from single_facts(page)
    verdicts = page["verdicts"]
    if (page["refusal"] is not None) != (page["answer"] == "no"):
        yield "the answer is no where there is a refusal"
    if (page["conclusion"] == "The model is refused.") != (page["answer"] == "no"):
        yield "the conclusion says so"
    if not verdicts or "coisotropy" not in verdicts:
        return
    for rule in (of_coisotropy, of_nondegeneracy, of_the_rest):
        yield from rule(page, verdicts)
    kind = page["refusal"]["kind"] if page["refusal"] else None
    reason = refusal_for(verdicts)
    if kind == "no_point_of_M" and verdicts["sample_of_M"]["points"]:
        yield "M is proved to be empty, and has points"
    if kind not in ("dependent_constraints", "no_motion", "no_point_of_M", "unexamined") and kind != reason:
        yield f"refused for {kind}, and the facts say {reason}"
    if verdicts["sample_of_M"]["points"] == 0 and \
            (verdicts["sample_of_MH"]["points"] or verdicts["nondegeneracy"]["witness"]):
        yield "no point of M was found, and one of M^H was"
    if page["answer"] == "yes" and verdicts["nondegeneracy"]["nondegenerate"]["answer"] == "no":
        yield "the answer is yes only where no singular N was found"
    if page["answer"] in ("yes", "not_everywhere") and verdicts["coisotropy"]["coisotropic"]["answer"] != "yes":
        yield "the answer is yes only where the constraints are coisotropic"
    if page["answer"] in ("yes", "not_everywhere") and verdicts["sample_of_MH"]["shown_to_exist"] == 0:
        yield "the answer is yes only where a point of M^H is shown to exist"
    singular_state = any(s["finite"] and s["N_singular"] for s in page["states"])
    if page["answer"] == "yes" and singular_state:
        yield "the answer is yes only where N is invertible at the initial states"


def section(text, heading):
    """The lines of a section of the page in ASCII, joined."""
    found = re.search(rf"^{heading}\n((?:  .*\n|\n)*)", text, re.M)
    return " ".join(found.group(1).split()) if found else None


def of_page(page, text, code):
    """What the page in ASCII says otherwise than the JSON object, and the exit code."""
    examined = page["verdicts"] is not None or page["set_aside"] and not page["indices"]
    unexamined = page["answer"] == "unexamined" and examined
    if code != (1 if page["answer"] == "no" or unexamined else 0):
        yield f"exit code {code} for the answer {page['answer']}"
    if (section(text, "Refused") is not None) != (page["answer"] == "no"):
        yield "the page has a section 'Refused' where the model is"
    if page["answer"] == "no":
        if " ".join(page["refusal"]["message"].split()) != section(text, "Refused"):
            yield "the page and the object give the same reason"
    elif " ".join(page["conclusion"].split()) != section(text, "Conclusion"):
        yield "the page and the object conclude alike"
    verdicts = page["verdicts"]
    if not verdicts or "coisotropy" not in verdicts or page["lowering"] == "looped":
        return
    yield from of_summary(verdicts, section(text, "Found by analysis"), "the page")


def of_summary(verdicts, words, where):
    """What lines of the summary say otherwise than the verdicts."""
    words = " ".join(words.split())
    c = verdicts["coisotropy"]["coisotropic"]
    wanted = {"no": "coisotropic fails", "undecided": "coisotropic not decided"}.get(
        c["answer"], "coisotropic proved" if proved(c) else "coisotropic holds at")
    if wanted not in words:
        yield f"{where} says '{wanted}'"
    n = verdicts["nondegeneracy"]
    if ("nondegenerate fails" in words) != (n["singular_everywhere"]["answer"] == "yes" and
                                            verdicts["independence"]["flat"] is None):
        yield f"{where} says that N is singular where it is"
    is_proved = n["nondegenerate"]["answer"] == "yes" or n["zeros_of_det_N"] == "where_gradients_are_dependent"
    by_masses = n["positive_masses"] is not None and not verdicts["independence"]["redundant"]
    if "nondegenerate proved" in words and not (is_proved or by_masses):
        yield f"{where} says that nondegeneracy is proved, and it is not"


def of_source(page, source):
    """What the generated C says otherwise than the JSON object."""
    verdicts = page["verdicts"]
    if not verdicts or "coisotropy" not in verdicts or page["lowering"] == "looped":
        return
    lines = re.findall(r'^ \*   ((?:\S| {14}).*)$', source, re.M)
    yield from of_summary(verdicts, " ".join(lines), "the head of the C")
    c = verdicts["coisotropy"]["coisotropic"]
    known = "SW_NOT_PROVED" if not proved(c) else "SW_PROVED" if c["parameters"] == "all" else "SW_PROVED_BY_DEFAULT"
    if not re.search(rf"\.coisotropic = {known},", source):
        yield f"the contract of the C has {known} for coisotropy"
    n = verdicts["nondegeneracy"]["nondegenerate"]
    known = "SW_NOT_PROVED" if n["answer"] != "yes" else \
        "SW_PROVED" if n["parameters"] == "all" else "SW_PROVED_BY_DEFAULT"
    if not re.search(rf"\.nondegenerate = {known},", source):
        yield f"the contract of the C has {known} for nondegeneracy"

# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of elements by atomic number, and masses in u.

The masses are the abridged standard atomic weights (IUPAC, 2021); most radioactive elements
have none.
"""

MASS = {
    "H": 1.008, "HE": 4.0026, "LI": 6.94, "BE": 9.0122, "B": 10.81, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998,
    "NE": 20.180, "NA": 22.990, "MG": 24.305, "AL": 26.982, "SI": 28.085, "P": 30.974, "S": 32.06, "CL": 35.45,
    "AR": 39.95, "K": 39.098, "CA": 40.078, "SC": 44.956, "TI": 47.867, "V": 50.942, "CR": 51.996, "MN": 54.938,
    "FE": 55.845, "CO": 58.933, "NI": 58.693, "CU": 63.546, "ZN": 65.38, "GA": 69.723, "GE": 72.630, "AS": 74.922,
    "SE": 78.971, "BR": 79.904, "KR": 83.798, "RB": 85.468, "SR": 87.62, "Y": 88.906, "ZR": 91.224, "NB": 92.906,
    "MO": 95.95, "RU": 101.07, "RH": 102.91, "PD": 106.42, "AG": 107.87, "CD": 112.41, "IN": 114.82, "SN": 118.71,
    "SB": 121.76, "TE": 127.60, "I": 126.90, "XE": 131.29, "CS": 132.91, "BA": 137.33, "LA": 138.91, "W": 183.84,
    "RE": 186.21, "OS": 190.23, "IR": 192.22, "PT": 195.08, "AU": 196.97, "HG": 200.59, "TL": 204.38, "PB": 207.2,
    "BI": 208.98, "U": 238.03, "D": 2.014,
}

SYMBOLS = dict(enumerate((
    "H HE LI BE B C N O F NE NA MG AL SI P S CL AR K CA SC TI V CR MN FE CO NI CU ZN GA GE AS SE BR KR RB SR Y ZR NB MO TC RU RH PD AG CD IN SN SB TE I XE "
    "CS BA LA CE PR ND PM SM EU GD TB DY HO ER TM YB LU HF TA W RE OS IR PT AU HG TL PB BI PO AT RN FR RA AC TH PA U").split(), start=1))
